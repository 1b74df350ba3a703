import { describe, expect, it } from "vitest"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { findNearestBoundary, listBoundaries, moveByWord, snapToWord } from "./boundaries.ts"
import { listTopics } from "./topic-list.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
const topics = listTopics({
  topics: [
    node("all", 0, 90, [
      node("boat", 0, 40, [node("hull", 0, 20), node("mast", 20, 40)]),
      node("bees", 40, 90, [node("hive", 40, 60), node("honey", 60, 90)]),
    ]),
  ],
})
const boundaries = listBoundaries(topics)
/** A word a second, from 0 to 89. */
const words: WordSpan[] = Array.from({ length: 90 }, (_, i) => ({
  word: `w${i}`,
  start: i,
  end: i + 0.5,
  speaker: "0",
}))

describe("topic boundaries", () => {
  it("are listed once per time, for the topic of the higher level", () => {
    expect(
      boundaries.map(({ time_s, min_s, max_s, topic, previousTitle }) => [
        time_s,
        min_s,
        max_s,
        topic.number,
        previousTitle,
      ]),
    ).toEqual([
      [20, 0, 40, "1.1.2", "hull"],
      [40, 20, 60, "1.2", "boat"],
      [60, 40, 90, "1.2.2", "hive"],
    ])
    expect(listBoundaries([])).toEqual([])
  })
  it("are found only within the given distance", () => {
    expect([
      findNearestBoundary(boundaries, 43, 5),
      findNearestBoundary(boundaries, 48, 5),
      findNearestBoundary(boundaries, 50, 30),
    ]).toEqual([1, -1, 2])
    expect(findNearestBoundary([], 1, 100)).toBe(-1)
  })
  it("snap to a word start between the neighboring boundaries", () => {
    const boundary = boundaries[1]!
    expect([44.4, 44.6, -5, 20, 500].map((t) => snapToWord(words, boundary, t))).toEqual([44, 45, 21, 21, 59])
    expect(snapToWord(words, { ...boundary, min_s: 40, max_s: 40.5 }, 40.2)).toBe(40)
    expect(snapToWord([], boundary, 12)).toBe(40)
  })
  it("move by one word within their limits", () => {
    const boundary = boundaries[1]!
    expect([
      moveByWord(words, boundary, 40, 1),
      moveByWord(words, boundary, 40.2, -1),
      moveByWord(words, boundary, 40, -1),
    ]).toEqual([41, 40, 39])
    expect([moveByWord(words, boundary, 59, 1), moveByWord(words, boundary, 21, -1)]).toEqual([59, 21])
  })
})
