import { readFileSync } from "node:fs"
import type { WordSpan } from "../../lib/domain/transcript/words.ts"
import type { NodeSpan } from "../../lib/engines/language/types.ts"
import { listReferenceNodes as listNodes } from "../../lib/services/evaluation/recordings.ts"

export type Level = "l1" | "l2"

/** A recording with its reference topics. `l1` and `l2` are the indices of the utterances that begin a topic, without 0. */
export type Recording = {
  id: string
  set: string
  utterances: { start: number; end: number; speaker: string; text: string }[]
  l1: number[]
  l2?: number[]
  titles_l1?: string[]
  summary?: string
}

export const readRecordings = (files: string): Recording[] =>
  files.split(",").flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as Recording[])

/** Returns the reference topics. */
export const listReferenceNodes = ({ utterances, l1 }: Recording, words: readonly WordSpan[]): NodeSpan[] =>
  listNodes({ utterances, boundaries: l1 }, words)

/** Prints the means over the items of each set, and of all, as lines of JSON. `items` names them. */
export const printMeans = <T extends Record<string, number>>(
  scored: readonly { set: string; scores: T }[],
  items = "recordings",
  extra: Record<string, unknown> = {},
): void => {
  const line = (set: string, list: typeof scored): string => {
    const keys = Object.keys(list[0]?.scores ?? {})
    const mean = (key: string): number =>
      Number((list.reduce((sum, { scores }) => sum + scores[key]!, 0) / list.length).toFixed(4))
    const means = Object.fromEntries(keys.map((key) => [key, mean(key)]))
    return JSON.stringify({ set, ...extra, [items]: list.length, ...means })
  }
  const sets = [...new Set(scored.map((s) => s.set))].sort()
  const of = (set: string) => scored.filter((s) => s.set === set)
  if (sets.length > 1) for (const set of sets) console.log(line(set, of(set)))
  console.log(line("all", scored))
}
