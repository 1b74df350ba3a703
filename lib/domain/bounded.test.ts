import { describe, expect, it } from "vitest"
import * as z from "zod"
import { boundedList, boundedRecord } from "./bounded.ts"

/** Returns an entry schema and the number of entries that it has parsed. */
const countingEntry = () => {
  const count = { parsed: 0 }
  const schema = z.string().refine((text) => {
    count.parsed++
    return text !== "bad"
  }, "is bad")
  return { schema, count }
}
const issuesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join("."), message]) ?? []

describe("boundedList", () => {
  it("parses each entry and applies its defaults and transforms", () => {
    const list = boundedList(z.object({ name: z.string().trim(), n: z.number().default(1) }), { max: 2 })
    expect(list.parse([{ name: " a " }])).toEqual([{ name: "a", n: 1 }])
  })
  it("stops at the first invalid entry and reports its place", () => {
    const { schema, count } = countingEntry()
    const list = z.object({ words: boundedList(z.object({ word: schema }), { max: 1000 }) })
    const words = Array.from({ length: 1000 }, (_, i) => ({ word: i < 3 ? "good" : "bad" }))
    expect(issuesOf(list, { words })).toEqual([["words.3.word", "is bad"]])
    expect(count.parsed).toBe(4)
  })
  it("counts before it parses an entry", () => {
    const { schema, count } = countingEntry()
    const list = boundedList(schema, { min: 1, max: 2 })
    for (const value of [[], ["a", "b", "c"], "text", { 0: "a" }]) expect(list.safeParse(value).success).toBe(false)
    expect(count.parsed).toBe(0)
    expect(list.parse(["a", "b"])).toEqual(["a", "b"])
  })
  it("has the JSON schema of a list", () => {
    const entry = z.object({ word: z.string(), speaker: z.string().default("0") })
    for (const io of ["input", "output"] as const)
      expect(z.toJSONSchema(boundedList(entry, { min: 1, max: 5 }), { io })).toEqual(
        z.toJSONSchema(z.array(entry).min(1).max(5), { io }),
      )
  })
})

describe("boundedRecord", () => {
  it("counts before it parses an entry", () => {
    const { schema, count } = countingEntry()
    const record = boundedRecord(z.string().min(1), schema, { max: 2 })
    expect(issuesOf(record, { a: "bad", b: "bad", c: "bad" })).toEqual([["", "must have at most 2 entries"]])
    expect(count.parsed).toBe(0)
    expect(record.parse({ a: "x", b: "y" })).toEqual({ a: "x", b: "y" })
  })
  it("rejects the name __proto__, which would be lost, and accepts other names of Object.prototype", () => {
    const record = boundedRecord(z.string(), z.string(), { max: 2 })
    expect(issuesOf(record, JSON.parse('{"__proto__":"Ada"}'))).toEqual([["__proto__", "is reserved"]])
    expect(record.parse({ constructor: "Ada" })).toEqual({ constructor: "Ada" })
    for (const value of [[], null, "text", 1]) expect(record.safeParse(value).success).toBe(false)
  })
})
