import { describe, expect, it } from "vitest"
import { diversify } from "./diversify.ts"
import { fuse } from "./fuse.ts"
import { searchWords } from "./retrieve.ts"

const hits = (...rows: number[]) => rows.map((row) => ({ row, score: 1 }))

describe("fuse", () => {
  it("puts first what both lists have, and scales the best possible to 1", () => {
    const fused = fuse([
      { hits: hits(1, 2, 3), weight: 1 },
      { hits: hits(1, 3, 4), weight: 1 },
    ])
    expect(fused.map((h) => h.row)).toEqual([1, 3, 2, 4])
    expect(fused[0]!.score).toBeCloseTo(1)
  })
  it("weighs the lists", () => {
    const order = (a: number, b: number) =>
      fuse([
        { hits: hits(1), weight: a },
        { hits: hits(2), weight: b },
      ]).map((h) => h.row)
    expect(order(1, 2)).toEqual([2, 1])
    expect(order(2, 1)).toEqual([1, 2])
  })
})

describe("diversify", () => {
  const vectors = new Map([
    [1, Float32Array.of(1, 0)],
    [2, Float32Array.of(0.999, 0.0447)],
    [3, Float32Array.of(0, 1)],
  ])
  it("puts what repeats an earlier one behind the rest", () => {
    expect(diversify(hits(1, 2, 3), vectors, 2).map((h) => h.row)).toEqual([1, 3])
    expect(diversify(hits(1, 2, 3), vectors, 3).map((h) => h.row)).toEqual([1, 3, 2])
  })
})

describe("the words of a question", () => {
  it("are those that carry meaning, or all when none does", () => {
    expect(searchWords("What does the waggle dance encode?")).toEqual(["waggle", "dance", "encode"])
    expect(searchWords("to be or not to be")).toEqual(["to", "be", "or", "not"])
    expect(searchWords('" ( * ^')).toEqual([])
  })
})
