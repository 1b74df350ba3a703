import { describe, expect, it } from "vitest"
import { mapLabels } from "./region-labels.ts"

const SUBJECTS = ["Garden soil", "Rocket launch", "Violin concert", "Database index"]

/** Four far groups, each of a subject. */
const world = (n: number) => {
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

describe("labels of the map", () => {
  it("name far groups by the words that their titles share", () => {
    const { topics, coords } = world(60)
    const coarse = mapLabels(topics, coords).filter((label) => label.depth === 0)
    for (const subject of SUBJECTS) {
      const word = subject.split(" ")[0]!.toLowerCase()
      expect(coarse.some((label) => label.text.toLowerCase().includes(word))).toBe(true)
    }
  })

  it("are distinct, at up to three levels, and anchored at points that exist", () => {
    const { topics, coords } = world(900)
    const labels = mapLabels(topics, coords)
    expect(new Set(labels.map((l) => l.depth))).toEqual(new Set([0, 1, 2]))
    expect(new Set(labels.map((l) => l.text.toLowerCase())).size).toBe(labels.length)
    for (const { point, size, radius } of labels) {
      expect(point).toBeGreaterThanOrEqual(0)
      expect(point).toBeLessThan(900)
      expect(size).toBeGreaterThan(1)
      expect(radius).toBeGreaterThanOrEqual(0)
    }
    expect(mapLabels(topics, coords)).toEqual(labels)
  })

  it("are none where there are too few points to tell lands apart, or all lie in one place", () => {
    expect(mapLabels([], [])).toEqual([])
    expect(mapLabels(world(3).topics, world(3).coords)).toEqual([])
    expect(mapLabels(world(40).topics, new Array(120).fill(1))).toEqual([])
  })

  it("put no two words side by side that no two titles share: rather no name, or one word", () => {
    const apart = (titles: readonly string[]) =>
      mapLabels(
        titles.map((title) => ({ title, level: 2 })),
        titles.flatMap((_, i) => [i < titles.length / 2 ? i / 10 : 50 + i / 10, 0, 0]),
      ).map((label) => label.text)
    expect(apart(["Deadline", "Gauge", "Harbour", "King", "Churn", "Violin"])).toEqual([])
    expect(apart(["Deadline moved", "Gauge", "Deadline kept", "King", "Churn", "Violin"])).toEqual(["Deadline"])
  })

  it("leave regions of stop words without a name", () => {
    const topics = Array.from({ length: 12 }, () => ({ title: "the and of", level: 2 }))
    expect(
      mapLabels(
        topics,
        topics.flatMap((_, i) => [i, 0, 0]),
      ).filter((l) => l.depth < 2),
    ).toEqual([])
  })
})
