import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { computeAgreement, computePk, diffTrees } from "./compare-trees.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

/** Builds a tree of 600 s with topics that start at these times. Each letter of `titles` is a title. */
const treeOf = (titles: string, starts: readonly number[], parts: Readonly<Record<number, readonly number[]>> = {}) => {
  const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
    title,
    summary: "",
    start_s,
    end_s,
    children,
  })
  const row = (list: readonly number[], end: number, name: (i: number) => string, of: typeof parts): TopicNode[] =>
    list.map((s, i) => {
      const e = list[i + 1] ?? end
      return node(
        name(i),
        s,
        e,
        row(of[i] ?? [], e, (j) => `${name(i)}${j}`, {}),
      )
    })
  const tree: TopicTree = {
    topics: [
      node(
        "whole",
        0,
        600,
        row(starts, 600, (i) => titles[i]!, parts),
      ),
    ],
  }
  return tree
}

describe("diffTrees", () => {
  it("reports kept, moved, added and removed boundaries, and changed titles", () => {
    const a = treeOf("abcd", [0, 100, 200, 400])
    const b = treeOf("axde", [0, 110, 400, 500], { 0: [0, 50] })
    const { topics, parts, titles } = diffTrees(a, b, 15)
    expect(topics).toMatchObject({
      kept: [400],
      moved: [{ from_s: 100, to_s: 110 }],
      added: [500],
      removed: [200],
      agreement: { f1: 0.6667, precision: 0.6667, recall: 0.6667 },
    })
    expect(parts).toMatchObject({ added: [50, 500] })
    expect(titles).toEqual([{ level: 2, number_a: "1.3", number_b: "1.2", start_s: 110, title_a: "c", title_b: "x" }])
  })
  it("reports no differences between equal trees and between empty trees", () => {
    const tree = treeOf("abc", [0, 200, 400], { 1: [200, 300] })
    const same = diffTrees(tree, tree, 0)
    for (const level of [same.topics, same.parts])
      expect(level).toMatchObject({ moved: [], added: [], removed: [], agreement: { pk: 0, f1: 1 } })
    expect(same.titles).toEqual([])
    expect(diffTrees({ topics: [] }, { topics: [] }, 15).topics.agreement).toEqual({
      pk: 0,
      f1: 1,
      precision: 1,
      recall: 1,
    })
  })
  it("matches each boundary once, the nearest first", () => {
    const { topics } = diffTrees(treeOf("abc", [0, 100, 110]), treeOf("ab", [0, 108]), 15)
    expect(topics).toMatchObject({ moved: [{ from_s: 110, to_s: 108 }], removed: [100], added: [] })
  })
})

describe("computeAgreement", () => {
  const boundaries = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 10 })
  it("returns values from 0 to 1, perfect ones for equal boundaries, and a symmetric F1", () =>
    fc.assert(
      fc.property(boundaries, boundaries, (a, b) => {
        const one = computeAgreement(a, b, 1000, 5)
        for (const value of Object.values(one)) expect(value >= 0 && value <= 1).toBe(true)
        expect(computeAgreement(a, a, 1000, 0)).toEqual({ pk: 0, f1: 1, precision: 1, recall: 1 })
        expect(computeAgreement(b, a, 1000, 5).f1).toBe(one.f1)
      }),
    ))
  it("computes the same Pk as a count by hand", () => {
    // 1000 units, k = 250: of 750 windows, the 250 that cross 500 disagree.
    expect(computePk([500], [], 1000)).toBeCloseTo(250 / 750, 2)
    expect(computePk([500], [500], 1000)).toBe(0)
  })
})
