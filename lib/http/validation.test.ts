import { describe, expect, it } from "vitest"
import * as z from "zod"
import { ENDPOINTS } from "../api/table.ts"
import { parseQueryString, rejectNonDecimals } from "./validation.ts"
import { addWarningsHeader, getWarnings, noteUnknownFields } from "./warnings.ts"

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

  it("name fields of nested objects and lists, each name once", () => {
    const wordEdits = ENDPOINTS.editWords.body.schema
    const edits = [
      { kind: "text", start_s: 0, end_s: 1, words: [], wrods: [] },
      { kind: "speaker", start_s: 0, end_s: 1, speaker: "1", off: "2" },
      { kind: "text", start_s: 0, end_s: 1, words: [], wrods: [], note: "a" },
      { kind: "unknown", colour: "red" },
      7,
    ]
    expect(warningsFor({ edits, edit: 1 }, wordEdits)).toEqual([
      "unknown field 'edits[0].wrods' ignored; did you mean 'words'?",
      "unknown field 'edits[1].off' ignored; did you mean 'of'?",
      "unknown field 'edits[2].note' ignored",
      "unknown field 'edit' ignored; did you mean 'edits'?",
    ])
  })

  it("name unknown fields of words, but not those of transcripts of other tools", () => {
    const job = ENDPOINTS.submitJob.body.schema
    const words = (more: object) => [1, 2].map((start) => ({ word: "a", start, end: start + 1, ...more }))
    expect(warningsFor({ transcription: words({ speeker: "1" }) }, job)).toEqual([
      "unknown field 'transcription[0].speeker' ignored; did you mean 'speaker'?",
    ])
    const segments = [{ start: 0, end: 1, text: "a", words: words({ probability: 1 }) }]
    for (const transcription of [segments, { segments }, "1\n", words({})])
      expect(warningsFor({ transcription }, job)).toEqual([])
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
