// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { useFind } from "./use-find.ts"

afterEach(cleanup)

const WORDS = "The boats, and Café boats of the boatman".split(" ").map((word, i) => ({
  word,
  start: 10 * i,
  end: 10 * i + 1,
  speaker: "0",
}))

const find = (query: string) => {
  const revealed: number[] = []
  const reveal = (time: number): void => void revealed.push(time)
  const { result } = renderHook(() => useFind(WORDS, reveal))
  act(() => result.current.setQuery(query))
  return { result, revealed }
}
const startsOf = (query: string) => find(query).result.current.matches.map(({ first }) => first)

describe("finding in a transcript", () => {
  it("matches the beginning of the last word, and whole words before it", () => {
    expect(startsOf("boa")).toEqual([1, 4, 7])
    expect(startsOf("boats o")).toEqual([4])
    expect(startsOf("boa of")).toEqual([])
    expect(startsOf("oats")).toEqual([])
  })

  it("ignores case, accents and punctuation", () => {
    expect(startsOf("CAFE")).toEqual([3])
    expect(startsOf("boats and")).toEqual([1])
    expect(startsOf(" … ")).toEqual([])
  })

  it("reveals the current match and steps around", () => {
    const { result, revealed } = find("boat")
    expect(revealed).toEqual([10])
    act(() => void result.current.step(-1))
    expect([result.current.currentIndex, result.current.currentWord]).toEqual([2, 7])
    act(() => void result.current.step(1))
    expect(revealed).toEqual([10, 70, 10])
    expect(result.current.getMatchesIn({ first: 2, end: 5, speaker: "0", start_s: 0, end_s: 0 })).toEqual([
      { first: 4, end: 5 },
    ])
  })
})
