import { describe, expect, it } from "vitest"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { borderNear, bordersOf, snapped, wordsOn } from "./boundaries.ts"
import { topicsOf } from "./topics.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
const topics = topicsOf({
  topics: [
    node("all", 0, 90, [
      node("boat", 0, 40, [node("hull", 0, 20), node("mast", 20, 40)]),
      node("bees", 40, 90, [node("hive", 40, 60), node("honey", 60, 90)]),
    ]),
  ],
})
const borders = bordersOf(topics)
/** A word a second, from 0 to 89. */
const words: WordSpan[] = Array.from({ length: 90 }, (_, i) => ({
  word: `w${i}`,
  start: i,
  end: i + 0.5,
  speaker: "0",
}))

describe("borders of topics", () => {
  it("are one for each place, by the greater topic that begins there", () => {
    expect(borders.map(({ at, low, high, topic, before }) => [at, low, high, topic.number, before])).toEqual([
      [20, 0, 40, "1.1.2", "hull"],
      [40, 20, 60, "1.2", "boat"],
      [60, 40, 90, "1.2.2", "hive"],
    ])
    expect(bordersOf([])).toEqual([])
  })
  it("are found near a time and not far from it", () => {
    expect([borderNear(borders, 43, 5), borderNear(borders, 48, 5), borderNear(borders, 50, 30)]).toEqual([1, -1, 2])
    expect(borderNear([], 1, 100)).toBe(-1)
  })
  it("lie at the start of a word, between the borders beside them", () => {
    const border = borders[1]!
    expect([44.4, 44.6, -5, 20, 500].map((t) => snapped(words, border, t))).toEqual([44, 45, 21, 21, 59])
    expect(snapped(words, { ...border, low: 40, high: 40.5 }, 40.2)).toBe(40)
    expect(snapped([], border, 12)).toBe(40)
  })
  it("go from word to word, and no farther than they may", () => {
    const border = borders[1]!
    expect([wordsOn(words, border, 40, 1), wordsOn(words, border, 40.2, -1), wordsOn(words, border, 40, -1)]).toEqual([
      41, 40, 39,
    ])
    expect([wordsOn(words, border, 59, 1), wordsOn(words, border, 21, -1)]).toEqual([59, 21])
  })
})
