import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { type JobBody, parseJobBody } from "./job-body.ts"
import { createJobParser } from "./job-parser.ts"

const words = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ word: ` wörd${i},`, start: i / 2, end: i / 2 + 0.4, speaker: i % 3 }))
const jsonOf = (body: object): JobBody => ({ json: Buffer.from(JSON.stringify(body)) })
const transcription = words(12_000)

const catchError = async (parsing: Promise<unknown>): Promise<AppError> => {
  const error = await parsing.catch((thrown: unknown) => thrown)
  if (!AppError.is(error)) throw new Error("no AppError")
  return error
}

/** Starting a thread from source takes seconds on a busy machine. */
describe("createJobParser", { timeout: 60_000 }, () => {
  const parse = createJobParser()

  it("parses a large body in a thread as a small one is parsed, also of a form", async () => {
    const body = { source: "name:a", lang: "de", language: null, transcription }
    const form = { fields: new Map([["transcription", JSON.stringify(transcription)]]), source: "upload" }
    const jobs = await Promise.all([jsonOf(body), form].map(parse))
    expect(jobs).toEqual([jsonOf(body), form].map(parseJobBody))
    for (const job of jobs)
      expect(JSON.parse(job.transcript!.json)[1]).toEqual({ word: "wörd1,", start: 0.5, end: 0.9, speaker: "1" })
    expect(jobs[0]!.warnings).toEqual([expect.stringMatching(/'lang' ignored; did you mean/)])
  })

  it("reports what is wrong with a large body, and then parses the next one", async () => {
    const [first, ...rest] = transcription
    const body = { source: "name:a", transcription: [first, { ...rest[0], start: -1 }, ...rest] }
    const error = await catchError(parse(jsonOf(body)))
    expect(error).toMatchObject(await catchError(new Promise((resolve) => resolve(parseJobBody(jsonOf(body))))))
    expect(error.code).toBe("invalid")
    expect(error.errors?.[0]?.loc).toEqual(["body", "transcription", 1, "start"])
    expect((await parse(jsonOf({ source: "name:b", transcription }))).request.source).toBe("name:b")
  })
})
