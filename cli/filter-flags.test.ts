import { Command } from "commander"
import { describe, expect, it } from "vitest"
import { type FilterFlags, filterFlags, toFilter } from "./filter-flags.ts"

const parse = (...args: string[]) =>
  toFilter(filterFlags(new Command()).parse(args, { from: "user" }).opts<FilterFlags>())

describe("the flags of a filter", () => {
  it("are no filter if none is given", () => expect(parse()).toBeUndefined())

  it("collect repeated values", () =>
    expect(
      parse(
        "--tag",
        "board",
        "--tag",
        "q3",
        "--speaker",
        "Ada",
        "--clip",
        "c1",
        "--document",
        "d",
        "--after",
        "2026-01-31",
      ),
    ).toEqual({ tags: ["board", "q3"], speakers: ["Ada"], clip_ids: ["c1"], documents: ["d"], after: "2026-01-31" }))

  it("are named in errors", () => {
    expect(() => parse("--before", "soon")).toThrow("--before must be a date or time like 2026-01-31")
    expect(() => parse("--tag", " ")).toThrow("--tag")
  })
})
