import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Format } from "../domain/document-formats.ts"
import { readRecords } from "../platform/files/record-file.ts"
import { createParser, type DocumentParser, type ParserOptions } from "./parser.ts"
import type { ParsedChunk } from "./split.ts"
import { bundleParser } from "./testing/parser-file.ts"

describe("createParser", () => {
  let bundle: Awaited<ReturnType<typeof bundleParser>>
  let parser: DocumentParser
  beforeAll(async () => {
    bundle = await bundleParser()
  }, 30_000)
  afterEach(() => parser.close())
  afterAll(() => bundle.remove())
  const open = (options: ParserOptions = {}) => {
    parser = createParser({ program: { file: bundle.file, execArgv: [] }, ...options })
  }
  const parse = async (name: string, text: string, requester: object = {}, signal?: AbortSignal) => {
    const formats: Record<string, Format> = { html: "html", csv: "csv", docx: "docx", txt: "text", json: "json" }
    const format = formats[name.slice(name.indexOf(".") + 1)]!
    const split = { chunkSize: 1000, chunkOverlap: 0 }
    const task = { path: `/${name}`, format, bytes: Buffer.from(text), split, embeds: false, requester }
    const parsed = await parser.parse(task, signal)
    const chunks = "list" in parsed ? parsed.list : ([...readRecords(parsed.file.path)].flat() as ParsedChunk[])
    if ("file" in parsed) await parsed.file.remove()
    expect(chunks).toHaveLength(parsed.count)
    return chunks.map((chunk) => chunk.text)
  }
  /** A page that takes far longer than a second. */
  const ENDLESS = "<div>".repeat(6_000_000)

  it("parses and splits files in child processes that it keeps", async () => {
    open()
    expect(await Promise.all(["one", "two", "three"].map((t) => parse("a.html", `<h1>${t}</h1>`)))).toEqual([
      ["one"],
      ["two"],
      ["three"],
    ])
    const words = "word ".repeat(1_000_000)
    expect((await parse("a.txt", words)).join(" ").length).toBe(words.trim().length)
  }, 20_000)
  it("stops parsing a file that needs too much time, while others are parsed", async () => {
    open({ timeoutMs: 1000 })
    const slow = parse("long.html", ENDLESS)
    const rejected = expect(slow).rejects.toThrow("Couldn't read long.html: it takes longer than 1 s")
    let hasEnded = false
    void slow
      .catch(() => {})
      .finally(() => {
        hasEnded = true
      })
    expect(await parse("a.html", "<p>fine")).toEqual(["fine"])
    expect(hasEnded).toBe(false)
    await rejected
  }, 20_000)
  it("stops parsing a file that needs too much memory, of any format", async () => {
    open({ heapMb: 64, residentMb: 96 })
    expect(await parse("a.csv", "a,b\n1,2\n1,2\n")).toEqual(["a: 1; b: 2\na: 1; b: 2"])
    await expect(parse("b.csv", `a,b\n${"1,2\n".repeat(3_000_000)}`)).rejects.toThrow("more than 64 MB of memory")
    await expect(parse("c.html", "<p>a b c d</p>".repeat(3_000_000))).rejects.toThrow("more than 64 MB of memory")
  }, 30_000)
  it("rejects a file with too many chunks or characters", async () => {
    open()
    await expect(parse("a.txt", "word ".repeat(4_200_000))).rejects.toMatchObject({ code: "too_large" })
    const rows = `{"${"k".repeat(300_000)}":[${"[1,[2]],".repeat(20_000)}{}]}`
    await expect(parse("a.json", rows)).resolves.toHaveLength(5001)
  }, 30_000)
  it("tells a request to come back if the children stay busy with other requests", async () => {
    open({ timeoutMs: 1500, waitMs: 300 })
    const busy = [parse("a.html", ENDLESS), parse("b.html", ENDLESS)]
    const ended = Promise.all(busy.map((p) => expect(p).rejects.toThrow("longer than 1.5 s")))
    await expect(parse("c.txt", "waits")).rejects.toMatchObject({ code: "unavailable", retryInMs: 300 })
    await ended
    expect(await parse("c.txt", "waits")).toEqual(["waits"])
  }, 20_000)
  it("reports a damaged file, and stops when the signal aborts", async () => {
    open()
    await expect(parse("a.docx", "no archive")).rejects.toThrow(/Couldn't read a\.docx: its archive is damaged/)
    const controller = new AbortController()
    const reading = parse("deep.html", "<div>".repeat(1_000_000), {}, controller.signal)
    setTimeout(() => controller.abort(new Error("aborted")), 200)
    await expect(reading).rejects.toThrow("aborted")
  })
})
