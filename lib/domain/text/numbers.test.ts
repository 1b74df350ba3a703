import { describe, expect, it } from "vitest"
import { extractNumbers } from "./numbers.ts"

describe("numbersIn", () => {
  it.each([
    ["twenty five thousand euros", 25000],
    ["fifty-three per cent", 53],
    ["one point six", 1.6],
    ["two hundred and forty", 240],
    ["1,200 people", 1200],
    ["three point five million", 3_500_000],
    ["nineteen sixty five", 1965],
    ["since nineteen ninety", 1990],
    ["1.6 million", 1_600_000],
    ["Bill C-10", 10],
    ["at 02:10", 10],
  ])("finds the number in %s: %s", (text, number) => expect([...extractNumbers(text)]).toContain(number))
  it("includes the parts of a number only if requested", () => {
    expect([...extractNumbers("twenty five thousand")]).toEqual([25_000])
    expect([...extractNumbers("twenty five thousand", true)]).toEqual([20, 5, 25_000])
  })
  it("returns an empty set for a text without numbers", () =>
    expect(extractNumbers("a pointed remark and some tents").size).toBe(0))
})
