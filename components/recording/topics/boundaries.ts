import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { wordAt } from "../transcript/blocks.ts"
import type { Topic } from "./topics.ts"

/** Where one topic ends and the next begins, in seconds. It may be moved between `low` and `high`, the borders beside it. */
export type Border = {
  readonly at: number
  readonly low: number
  readonly high: number
  /** The topic that begins here, the greater one where two do. */
  readonly topic: Topic
  /** What is spoken of before it. */
  readonly before: string
}

/** The borders of a recording's topics and their parts, in order. */
export const bordersOf = (topics: readonly Topic[]): Border[] => {
  const end = topics.reduce((latest, { node }) => Math.max(latest, node.end_s), 0)
  const inOrder = topics.toSorted((a, b) => a.node.start_s - b.node.start_s || a.level - b.level)
  const begins = inOrder.filter((t, i) => i === 0 || t.node.start_s > inOrder[i - 1]!.node.start_s)
  return begins.slice(1).map((topic, i) => {
    const sameLevel = topics.filter((t) => t.level === topic.level && t.node.start_s < topic.node.start_s)
    return {
      at: topic.node.start_s,
      low: begins[i]!.node.start_s,
      high: begins[i + 2]?.node.start_s ?? end,
      topic,
      before: (sameLevel.at(-1) ?? begins[i]!).node.title,
    }
  })
}

/** The border nearest to a time, no farther than `within` seconds. -1: none. */
export const borderNear = (borders: readonly Border[], time: number, within: number): number => {
  let best = -1
  for (const [i, { at }] of borders.entries())
    if (Math.abs(at - time) <= Math.min(within, best < 0 ? within : Math.abs(borders[best]!.at - time))) best = i
  return best
}

/** The words at whose start a border may lie: one word at least stays on either side. `from` > `to`: there is none. */
const room = (words: readonly WordSpan[], { low, high }: Border): { from: number; to: number } => {
  const firstFrom = (time: number): number => {
    const at = wordAt(words, time)
    let i = at
    while (i >= 0 && words[i]!.start === time) i--
    return i + 1
  }
  return { from: firstFrom(low) + 1, to: firstFrom(high) - 1 }
}

/** The word start nearest to a time at which a border may lie, as the service would take it; where it lies if there is none. */
export const snapped = (words: readonly WordSpan[], border: Border, time: number): number => {
  const { from, to } = room(words, border)
  if (from > to) return border.at
  const before = Math.min(to, Math.max(from, wordAt(words, time)))
  const after = Math.min(to, before + 1)
  const nearest = Math.abs(words[after]!.start - time) < Math.abs(words[before]!.start - time) ? after : before
  return words[nearest]!.start
}

/** The place so many words on from where a border stands now. */
export const wordsOn = (words: readonly WordSpan[], border: Border, now: number, by: 1 | -1): number => {
  const { from, to } = room(words, border)
  if (from > to) return border.at
  const here = wordAt(words, now)
  const next = by < 0 && words[here] && words[here].start < now ? here : here + by
  return words[Math.min(to, Math.max(from, next))]!.start
}
