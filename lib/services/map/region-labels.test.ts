import { describe, expect, it } from "vitest"
import { labelRegions } from "./region-labels.ts"

const SUBJECTS = ["Garden soil", "Rocket launch", "Violin concert", "Database index"]

/** Creates topics of four subjects in four distant groups. */
const createMap = (n: number) => {
  const topics = Array.from({ length: n }, (_, i) => ({
    title: `${SUBJECTS[i % 4]} and its part ${String.fromCharCode(97 + (i % 23))}${i}`,
    level: i < 4 ? 1 : 2,
  }))
  const coords = topics.flatMap((_, i) => [
    40 * ((i % 4) & 1) + (i % 7) / 7,
    40 * ((i % 4) >> 1) + (i % 5) / 5,
    (i % 3) / 3,
  ])
  return { topics, coords }
}

describe("labelRegions", () => {
  it("labels distant groups with the words that their titles share", () => {
    const { topics, coords } = createMap(60)
    const coarse = labelRegions(topics, coords).filter((label) => label.depth === 0)
    for (const subject of SUBJECTS) {
      const word = subject.split(" ")[0]!.toLowerCase()
      expect(coarse.some((label) => label.text.toLowerCase().includes(word))).toBe(true)
    }
  })

  it("returns distinct labels at three levels, anchored at existing points", () => {
    const { topics, coords } = createMap(900)
    const labels = labelRegions(topics, coords)
    expect(new Set(labels.map((l) => l.depth))).toEqual(new Set([0, 1, 2]))
    expect(new Set(labels.map((l) => l.text.toLowerCase())).size).toBe(labels.length)
    for (const { point, size, radius } of labels) {
      expect(point).toBeGreaterThanOrEqual(0)
      expect(point).toBeLessThan(900)
      expect(size).toBeGreaterThan(1)
      expect(radius).toBeGreaterThanOrEqual(0)
    }
    expect(labelRegions(topics, coords)).toEqual(labels)
  })

  it("returns no labels for too few points or if all points coincide", () => {
    expect(labelRegions([], [])).toEqual([])
    expect(labelRegions(createMap(3).topics, createMap(3).coords)).toEqual([])
    expect(labelRegions(createMap(40).topics, new Array(120).fill(1))).toEqual([])
  })

  it("uses only words that two titles share, even if that leaves one word or no label", () => {
    const labelTwoGroups = (titles: readonly string[]) =>
      labelRegions(
        titles.map((title) => ({ title, level: 2 })),
        titles.flatMap((_, i) => [i < titles.length / 2 ? i / 10 : 50 + i / 10, 0, 0]),
      ).map((label) => label.text)
    expect(labelTwoGroups(["Deadline", "Gauge", "Harbour", "King", "Churn", "Violin"])).toEqual([])
    expect(labelTwoGroups(["Deadline moved", "Gauge", "Deadline kept", "King", "Churn", "Violin"])).toEqual([
      "Deadline",
    ])
  })

  it("does not label regions whose titles contain only stop words", () => {
    const topics = Array.from({ length: 12 }, () => ({ title: "the and of", level: 2 }))
    expect(
      labelRegions(
        topics,
        topics.flatMap((_, i) => [i, 0, 0]),
      ).filter((l) => l.depth < 2),
    ).toEqual([])
  })
})
