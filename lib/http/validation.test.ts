import { describe, expect, it } from "vitest"
import { z } from "zod"
import { formatIssue } from "../domain/validation-messages.ts"
import { describeIssues, parseInput, parseQueryString, rejectNonDecimals } from "./validation.ts"
import { addWarningsHeader, getWarnings, noteUnknownFields } from "./warnings.ts"

const errorOf = (schema: z.ZodType, value: unknown) => {
  try {
    parseInput(schema, value, "body")
  } catch (error) {
    return error as { message: string; code: string; errors: { loc: unknown[]; msg: string; type: string }[] }
  }
  throw new Error("the input is valid")
}

describe("parseInput", () => {
  const schema = z.object({ edits: z.array(z.object({ at: z.number() })), name: z.string().min(1) })

  it("names the first invalid field, and lists all of them", () => {
    expect(parseInput(schema, { edits: [], name: "a", more: 1 }, "body")).toEqual({ edits: [], name: "a" })
    const error = errorOf(schema, { edits: [{ at: 1 }, { at: "x" }], name: "" })
    expect(error).toMatchObject({
      code: "invalid",
      message: "edits[1].at: must be a number (and 1 more)",
      errors: [
        { loc: ["body", "edits", 1, "at"], msg: "must be a number", type: "invalid_type" },
        { loc: ["body", "name"], msg: "must not be empty", type: "too_small" },
      ],
    })
    expect(errorOf(schema, { edits: [] }).message).toBe("name: is missing")
    expect(errorOf(schema, []).message).toBe("the body: must be an object")
    expect(errorOf(z.array(z.number()), ["x"]).message).toBe("[0]: must be a number")
    expect(describeIssues([], "the body")).toBe("the body: invalid")
  })

  it("lists twenty fields at most", () => {
    const error = errorOf(z.array(z.number()), new Array(25).fill("x"))
    expect([error.errors.length, error.message]).toEqual([20, "[0]: must be a number (and 24 more)"])
  })
})

describe("the message about a value", () => {
  const messageOf = (schema: z.ZodType, value: unknown) => formatIssue(schema.safeParse(value).error!.issues[0]!)

  it.each([
    [z.string(), 1, "must be text"],
    [z.int(), "x", "must be a number"],
    [z.int(), 1.5, "must be a whole number"],
    [z.boolean(), 1, "must be true or false"],
    [z.array(z.string()), 1, "must be a list"],
    [z.date(), 1, "must be date"],
    [z.string().min(2), "a", "must have at least 2 characters"],
    [z.string().max(2), "abc", "must have at most 2 characters"],
    [z.array(z.string()).min(1), [], "must have at least 1 entries"],
    [z.number().max(3), 4, "must be at most 3"],
    [z.number().min(3), 1, "must be at least 3"],
    [z.enum(["a", "b"]), "c", "must be one of a, b"],
    [z.string().regex(/^x$/), "a", "is not a valid value"],
    [z.url(), "a", "is not a valid url"],
    [z.string().regex(/^x$/, "must be an x"), "a", "must be an x"],
    [z.string().refine(() => false, "no"), "a", "no"],
  ])("of %o for %j is %j", (schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message)
  })
})

describe("the fields of a query", () => {
  it("are decimal numbers where the schema has numbers", () => {
    const schema = z.object({ limit: z.coerce.number().int(), at: z.coerce.number().nullable(), q: z.string() })
    const fields = { limit: "0x10", at: "1e3", q: "0x10", other: "0x10" }
    expect(rejectNonDecimals(fields, schema)).toEqual({ limit: Number.NaN, at: Number.NaN, q: "0x10", other: "0x10" })
    expect(rejectNonDecimals({ limit: "16", at: "-1.5", q: "" }, schema)).toEqual({ limit: "16", at: "-1.5", q: "" })
    expect(rejectNonDecimals({ limit: ["1"] }, schema)).toEqual({ limit: ["1"] })
  })

  it("are given once, and count as missing if they are empty", () => {
    expect(parseQueryString(new URLSearchParams("a=1&b=&c=x%20y"))).toEqual({ a: "1", c: "x y" })
    const name = "n".repeat(150)
    try {
      parseQueryString(new URLSearchParams(`a=1&${name}=1&${name}=2`))
      expect.unreachable()
    } catch (error) {
      const [short, msg] = [name.slice(0, 100), "given twice, expected once"]
      expect(error).toMatchObject({
        code: "invalid",
        message: `${short}: ${msg}`,
        errors: [{ loc: ["query", short], msg, type: "repeated" }],
      })
    }
  })
})

describe("warnings about unknown fields", () => {
  const schema = z.object({ title: z.string(), language: z.string() })
  const request = () => new Request("http://localhost/")
  const warningsFor = (given: unknown, known: z.ZodType | undefined = schema) => {
    const asked = request()
    noteUnknownFields(asked, given, { schema: known, kind: "field" })
    return getWarnings(asked)
  }

  it("name each field, with the nearest known one", () => {
    expect(warningsFor({ title: "a", titel: "b", zzzzzzzz: 1 })).toEqual([
      "unknown field 'titel' ignored; did you mean 'title'?",
      "unknown field 'zzzzzzzz' ignored",
    ])
    expect(warningsFor({ ["x".repeat(90)]: 1 })).toEqual([`unknown field '${"x".repeat(60)}' ignored`])
    expect(warningsFor(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`zz${i}zzzzz`, 1])))).toHaveLength(10)
  })

  it("are not given for what has no fields, or any", () => {
    for (const given of [null, "text", 7, [1]]) expect(warningsFor(given)).toEqual([])
    expect(warningsFor({ any: 1 }, z.record(z.string(), z.number()))).toEqual([])
    const asked = request()
    noteUnknownFields(asked, { q: "1" }, { schema: undefined, kind: "query parameter" })
    expect(getWarnings(asked)).toEqual(["unknown query parameter 'q' ignored"])
  })

  it("are a header of printable characters", () => {
    const asked = request()
    noteUnknownFields(asked, { zzzzzzzzü: 1, yyyyyyyyy: 1 }, { schema, kind: "field" })
    const response = addWarningsHeader(asked, new Response())
    expect(response.headers.get("earmark-warnings")).toBe(
      "unknown field 'zzzzzzzz?' ignored; unknown field 'yyyyyyyyy' ignored",
    )
    expect(addWarningsHeader(request(), new Response()).headers.has("earmark-warnings")).toBe(false)
  })
})
