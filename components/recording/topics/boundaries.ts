import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { findWordAt } from "../transcript/paragraphs.ts"
import type { Topic } from "./topic-list.ts"

/** Where one topic ends and the next begins, in seconds. It may be moved between `low` and `high`, the boundaries beside it. */
export type Boundary = {
  readonly time_s: number
  readonly min_s: number
  readonly max_s: number
  /** The topic that begins here, the greater one where two do. */
  readonly topic: Topic
  /** What is spoken of before it. */
  readonly previousTitle: string
}

/** The boundaries of a recording's topics and their parts, in order. */
export const listBoundaries = (topics: readonly Topic[]): Boundary[] => {
  const end = topics.reduce((latest, { node }) => Math.max(latest, node.end_s), 0)
  const inOrder = topics.toSorted((a, b) => a.node.start_s - b.node.start_s || a.level - b.level)
  const begins = inOrder.filter((t, i) => i === 0 || t.node.start_s > inOrder[i - 1]!.node.start_s)
  return begins.slice(1).map((topic, i) => {
    const sameLevel = topics.filter((t) => t.level === topic.level && t.node.start_s < topic.node.start_s)
    return {
      time_s: topic.node.start_s,
      min_s: begins[i]!.node.start_s,
      max_s: begins[i + 2]?.node.start_s ?? end,
      topic,
      previousTitle: (sameLevel.at(-1) ?? begins[i]!).node.title,
    }
  })
}

/** The boundary nearest to a time, no farther than `within` seconds. -1: none. */
export const findNearestBoundary = (boundaries: readonly Boundary[], time: number, within: number): number => {
  let best = -1
  let bestDistance = within
  for (const [i, { time_s }] of boundaries.entries()) {
    const distance = Math.abs(time_s - time)
    if (distance > bestDistance) continue
    best = i
    bestDistance = distance
  }
  return best
}

/** The words at whose start a boundary may lie: one word at least stays on either side. `from` > `to`: there is none. */
const getAllowedWords = (
  words: readonly WordSpan[],
  { min_s: low, max_s: high }: Boundary,
): { from: number; to: number } => {
  const firstFrom = (time: number): number => {
    const at = findWordAt(words, time)
    let i = at
    while (i >= 0 && words[i]!.start === time) i--
    return i + 1
  }
  return { from: firstFrom(low) + 1, to: firstFrom(high) - 1 }
}

/** The word start nearest to a time at which a boundary may lie, as the service would take it; where it lies if there is none. */
export const snapToWord = (words: readonly WordSpan[], boundary: Boundary, time: number): number => {
  const { from, to } = getAllowedWords(words, boundary)
  if (from > to) return boundary.time_s
  const before = Math.min(to, Math.max(from, findWordAt(words, time)))
  const after = Math.min(to, before + 1)
  const nearest = Math.abs(words[after]!.start - time) < Math.abs(words[before]!.start - time) ? after : before
  return words[nearest]!.start
}

/** The place so many words on from where a boundary stands now. */
export const moveByWord = (words: readonly WordSpan[], boundary: Boundary, now: number, by: 1 | -1): number => {
  const { from, to } = getAllowedWords(words, boundary)
  if (from > to) return boundary.time_s
  const here = findWordAt(words, now)
  const next = by < 0 && words[here] && words[here].start < now ? here : here + by
  return words[Math.min(to, Math.max(from, next))]!.start
}
