import { describe, expect, it } from "vitest"
import type { InputSchema } from "./field-types.ts"
import { findUnknownFields } from "./unknown-fields.ts"

const find = (value: unknown, schema: InputSchema) =>
  [...findUnknownFields(value, schema)].map(({ path, name }) => [...path, name].join("."))

const word = { type: "object", properties: { text: {}, start: {} }, required: ["text"] } as InputSchema
const body = {
  type: "object",
  properties: { language: { type: "string" }, words: { type: "array", items: word }, free: { type: "object" } },
} as InputSchema

describe("findUnknownFields", () => {
  it("finds the fields that the schema does not have, in each place", () => {
    expect(find({ language: "en", langauge: "en" }, body)).toEqual(["langauge"])
    expect(find({ words: [{ text: "a", strat: 1 }] }, body)).toEqual(["words.0.strat"])
    expect([...findUnknownFields({ lang: 1 }, body)][0]!.known).toEqual(["language", "words", "free"])
  })
  it("names a field of the items of a list once", () => {
    expect(
      find(
        {
          words: [
            { text: "a", strat: 1 },
            { text: "b", strat: 2, ned: 3 },
          ],
        },
        body,
      ),
    ).toEqual(["words.0.strat", "words.1.ned"])
  })
  it("checks the first thousand items of a list", () => {
    const words = Array.from({ length: 1001 }, (_, i) => ({ text: "a", ...(i >= 999 && { [`field${i}`]: 1 }) }))
    expect(find({ words }, body)).toEqual(["words.999.field999"])
  })
  it("finds none in an object of any shape, in null and in values that are no objects", () => {
    expect(find({ free: { a: 1 } }, body)).toEqual([])
    for (const value of [null, undefined, 3, "text", [], [{ text: 1 }]]) expect(find(value, body)).toEqual([])
    expect(find({ words: ["text", null, 3] }, body)).toEqual([])
  })
  it.each(["anyOf", "oneOf"] as const)("checks the variant of %s that the value is meant as", (key) => {
    const variant = (type: string, field: string) => ({
      type: "object",
      properties: { type: { const: type }, [field]: {} },
      required: ["type"],
    })
    const schema = { [key]: [variant("split", "at"), variant("merge", "with")] } as unknown as InputSchema
    expect(find({ type: "merge", with: 1, at: 2 }, schema)).toEqual(["at"])
    expect(find({ type: "split", with: 1, at: 2 }, schema)).toEqual(["with"])
    expect(find({ type: "move", other: 1 }, schema)).toEqual([])
    expect(find({ other: 1 }, schema)).toEqual([])
    expect(find(null, schema)).toEqual([])
  })
  it("takes a list for the variant of lists whose items its first item fits", () => {
    const schema = {
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "array", items: word }],
    } as unknown as InputSchema
    expect(find([{ text: "a", strat: 1 }], schema)).toEqual(["0.strat"])
    expect(find([{ strat: 1 }], schema)).toEqual([])
    expect(find(["a"], schema)).toEqual([])
    expect(find("a", schema)).toEqual([])
  })
  it("has a required field only if the object itself has it", () => {
    const schema = {
      anyOf: [{ type: "object", properties: { toString: {} }, required: ["toString"] }],
    } as unknown as InputSchema
    expect(find({ other: 1 }, schema)).toEqual([])
  })
})
