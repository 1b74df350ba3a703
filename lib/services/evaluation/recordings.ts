import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { NodeSpan } from "../../engines/language/types.ts"
import { packageRoot } from "../../platform/package-root.ts"

type Utterance = { readonly start: number; readonly end: number; readonly speaker: string; readonly text: string }

/** A recording that people divided into topics. */
export type EvaluatedRecording = {
  readonly id: string
  readonly utterances: readonly Utterance[]
  /** The indices of the utterances that begin a topic, without 0. */
  readonly boundaries: readonly number[]
  /** The titles of the topics, in order. */
  readonly titles: readonly string[]
}

type StoredRecording = Omit<EvaluatedRecording, "utterances"> & {
  readonly utterances: readonly (readonly [start: number, end: number, speaker: string, text: string])[]
}

/** Reads the recordings that come with the package. Their origin and license are in the README beside them. */
export const readBundledRecordings = (): EvaluatedRecording[] => {
  const file = join(packageRoot(), "lib/services/evaluation/data/meetings.json")
  return (JSON.parse(readFileSync(file, "utf8")) as StoredRecording[]).map(({ utterances, ...recording }) => ({
    ...recording,
    utterances: utterances.map(([start, end, speaker, text]) => ({ start, end, speaker, text })),
  }))
}

/** Splits utterances into words, sorted by start time because utterances of different speakers overlap. */
export const buildWords = ({ utterances }: Pick<EvaluatedRecording, "utterances">): WordSpan[] =>
  utterances
    .flatMap(({ start, end, speaker, text }) => {
      const list = text.split(/\s+/).filter(Boolean)
      const step = (end - start) / Math.max(1, list.length)
      const at = (i: number): number => Number((start + i * step).toFixed(3))
      return list.map((word, i) => ({ word, start: at(i), end: at(i + 1), speaker }))
    })
    .sort((a, b) => a.start - b.start)

/** Returns the topics that people made. */
export const listReferenceNodes = (
  { utterances, boundaries }: Pick<EvaluatedRecording, "utterances" | "boundaries">,
  words: readonly WordSpan[],
): NodeSpan[] => {
  const starts = [0, ...boundaries.map((u) => utterances[u]!.start)]
  return starts.map((start_s, i) => ({ id: `${i + 1}`, start_s, end_s: starts[i + 1] ?? words.at(-1)!.end }))
}

/** Returns the boundaries between topics as indices of the utterances that start nearest to them, without 0. */
export const toUtteranceBoundaries = (
  { utterances }: Pick<EvaluatedRecording, "utterances">,
  topics: readonly { readonly start_s: number }[],
): number[] => {
  const nearest = (time: number): number =>
    utterances.reduce(
      (best, { start }, i) => (Math.abs(start - time) < Math.abs(utterances[best]!.start - time) ? i : best),
      0,
    )
  const found = new Set(topics.slice(1).map(({ start_s }) => nearest(start_s)))
  found.delete(0)
  return [...found].sort((a, b) => a - b)
}
