import { describe, expect, it } from "vitest"
import { computeAgreement, computePk, diffTrees } from "./compare-trees.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
const treeOf = (...starts: number[]): TopicTree => ({
  topics: [
    node(
      "all",
      0,
      600,
      [0, ...starts].map((start_s, i, all) => node("t", start_s, all[i + 1] ?? 600)),
    ),
  ],
})

describe("the boundaries of two trees", () => {
  it("are the same up to half a second, and moved up to the tolerance", () => {
    const { topics } = diffTrees(treeOf(100, 200, 300, 400), treeOf(100.5, 200.6, 315, 416), 15)
    expect(topics).toMatchObject({
      kept: [100],
      moved: [
        { from_s: 200, to_s: 200.6 },
        { from_s: 300, to_s: 315 },
      ],
      added: [416],
      removed: [400],
    })
    expect(diffTrees(treeOf(100, 200), treeOf(100.5, 200.6), 0)).toMatchObject({
      tolerance_s: 0,
      topics: { kept: [100], moved: [], added: [200.6], removed: [200], agreement: { f1: 0.5 } },
    })
  })

  it("are in order, also where the nearest were paired first", () => {
    const { topics } = diffTrees(treeOf(100, 200, 300), treeOf(110, 204, 301, 500, 590), 15)
    expect(topics.moved.map(({ from_s }) => from_s)).toEqual([100, 200, 300])
    expect(topics.added).toEqual([500, 590])
    const reversed = { topics: [node("all", 0, 600, [node("a", 0, 1), node("b", 500, 600), node("c", 50, 60)])] }
    expect(diffTrees(reversed, treeOf(), 15).topics.removed).toEqual([50, 500])
    expect(diffTrees(treeOf(), reversed, 15).topics.added).toEqual([50, 500])
    expect(diffTrees(reversed, reversed, 15).topics.kept).toEqual([50, 500])
  })

  it("of all levels are compared apart from those of the topics", () => {
    const a = treeOf(300)
    const b = treeOf(300)
    b.topics[0]!.children[0]!.children = [node("p", 0, 90), node("q", 90, 300)]
    const { topics, parts } = diffTrees(a, b, 15)
    expect([topics.added, parts.added, parts.kept]).toEqual([[], [90], [300]])
  })
})

describe("the agreement of boundaries", () => {
  it("is the share of those that match, as seen from either side", () => {
    expect(computeAgreement([100, 200, 300], [101], 600, 5)).toMatchObject({ f1: 0.5, precision: 1, recall: 0.3333 })
    expect(computeAgreement([101], [100, 200, 300], 600, 5)).toMatchObject({ f1: 0.5, precision: 0.3333, recall: 1 })
    expect(computeAgreement([], [100], 600, 5)).toMatchObject({ f1: 0, precision: 0, recall: 1 })
    expect(computeAgreement([100], [], 600, 5)).toMatchObject({ f1: 0, precision: 1, recall: 0 })
    expect(computeAgreement([100, 105], [105], 600, 5)).toMatchObject({ precision: 1, recall: 0.5 })
  })

  it("slides the window of Pk over units of at most a second", () => {
    // 1000 units, a window of 250: the 250 windows that cross 500 disagree, of 750.
    expect(computePk([500], [], 1000)).toBe(250 / 750)
    // A shift of 100 units: 100 windows cross only one of the boundaries at each side.
    expect(computePk([500], [600], 1000)).toBe(200 / 750)
    // 500 units of 0.2 s, a window of 125.
    expect(computePk([50], [], 100)).toBe(125 / 375)
    // Boundaries at the ends divide nothing.
    expect(computePk([500], [500, 0, 1000], 1000)).toBe(0)
    // With segments of less than four units, the window has two.
    const many = Array.from({ length: 499 }, (_, i) => i + 1)
    expect(computePk(many, [], 500)).toBe(1)
    expect(computePk(many, [250], 500)).toBe(496 / 498)
    expect(computePk([1], [], 0)).toBe(0)
    expect(computePk([500.4], [], 1000.2)).toBeCloseTo(250 / 751, 12)
  })

  it("covers the longer one of two recordings", () => {
    const short = { topics: [node("all", 0, 300, [node("a", 0, 150), node("b", 150, 300)])] }
    const { agreement } = diffTrees(short, treeOf(150), 15).topics
    expect(agreement.pk).toBe(0)
    expect(diffTrees(short, treeOf(), 15).topics.agreement.pk).toBe(0.3333)
  })
})
