import { describe, expect, it } from "vitest"
import { numbersIn } from "./numbers.ts"

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
  ])("%s holds %s", (text, number) => expect([...numbersIn(text)]).toContain(number))
  it("gives the parts of a number only when asked", () => {
    expect([...numbersIn("twenty five thousand")]).toEqual([25_000])
    expect([...numbersIn("twenty five thousand", true)]).toEqual([20, 5, 25_000])
  })
  it("finds none where there is none", () => expect(numbersIn("a pointed remark and some tents").size).toBe(0))
})
