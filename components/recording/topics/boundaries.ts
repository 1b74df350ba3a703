import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { findWordAt } from "../transcript/paragraphs.ts"
import type { Topic } from "./topic-list.ts"

/** The time at which a topic begins, in seconds. It can be moved between the neighboring boundaries `min_s` and `max_s`. */
export type Boundary = {
  readonly time_s: number
  readonly min_s: number
  readonly max_s: number
  /** The topic that begins here. If a topic and its first subtopic begin here, the topic. */
  readonly topic: Topic
  /** The title of the topic before the boundary. */
  readonly previousTitle: string
}

/** Lists the boundaries of topics and subtopics in order of time. */
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

/** Returns the index of the boundary nearest to a time, at most `within` seconds away, or -1. */
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

/**
 * Returns the range of words at whose start a boundary may be placed, leaving at least one word on either side. The range is
 * empty if `from` > `to`.
 */
const getAllowedWords = (words: readonly WordSpan[], { min_s, max_s }: Boundary): { from: number; to: number } => {
  const firstFrom = (time: number): number => {
    const at = findWordAt(words, time)
    let i = at
    while (i >= 0 && words[i]!.start === time) i--
    return i + 1
  }
  return { from: firstFrom(min_s) + 1, to: firstFrom(max_s) - 1 }
}

/** Returns the allowed word start nearest to a time, like the service does, or the current position if there is none. */
export const snapToWord = (words: readonly WordSpan[], boundary: Boundary, time: number): number => {
  const { from, to } = getAllowedWords(words, boundary)
  if (from > to) return boundary.time_s
  const before = Math.min(to, Math.max(from, findWordAt(words, time)))
  const after = Math.min(to, before + 1)
  const nearest = Math.abs(words[after]!.start - time) < Math.abs(words[before]!.start - time) ? after : before
  return words[nearest]!.start
}

/** Returns the position one word before or after `time_s`. */
export const moveByWord = (words: readonly WordSpan[], boundary: Boundary, time_s: number, by: 1 | -1): number => {
  const { from, to } = getAllowedWords(words, boundary)
  if (from > to) return boundary.time_s
  const here = findWordAt(words, time_s)
  const next = by < 0 && words[here] && words[here].start < time_s ? here : here + by
  return words[Math.min(to, Math.max(from, next))]!.start
}
