import { describe, expect, it } from "vitest"
import { prefersHtml } from "../server/error-responses.ts"
import { etagResponse, matchesEtag } from "./etag-response.ts"
import { eventStream, type ServerEvent } from "./event-stream.ts"
import { parseRange } from "./range-response.ts"

describe("prefersHtml", () => {
  for (const [accept, html] of [
    [undefined, false],
    ["*/*", false],
    ["application/json", false],
    ["text/html", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["application/json, text/html;q=0.9", false],
    ["text/html;q=0", false],
    ["text/*;q=0.5, application/*;q=0.1", true],
    ["application/json, text/html", false],
    ["text/html, application/json", true],
  ] as const)
    it(`${html ? "prefers" : "does not prefer"} HTML for Accept: ${accept}`, () =>
      expect(prefersHtml(accept)).toBe(html))
})

describe("ETags", () => {
  for (const [given, match] of [
    [null, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ["*", true],
    ['"b"', false],
  ] as const)
    it(`${match ? "matches" : "does not match"} If-None-Match ${given} with "a"`, () =>
      expect(matchesEtag(given, '"a"')).toBe(match))
  it("responds with 304 to a known ETag, and marks immutable content", async () => {
    const asked = (tag?: string) => new Request("http://localhost/x", tag ? { headers: { "if-none-match": tag } } : {})
    const same = etagResponse(asked('"a"'), { body: "x", etag: '"a"', type: "text/plain" })
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", '"a"'])
    const full = etagResponse(asked(), { body: "x", etag: '"a"', type: "text/plain", immutable: true })
    expect([full.status, full.headers.get("cache-control")]).toEqual([200, expect.stringContaining("immutable")])
  })
})

describe("parseRange", () => {
  for (const [header, range] of [
    [null, null],
    ["bytes=0-", { start: 0, end: 99 }],
    ["bytes=10-19", { start: 10, end: 19 }],
    ["bytes=10-500", { start: 10, end: 99 }],
    ["bytes=-30", { start: 70, end: 99 }],
    ["bytes=-500", { start: 0, end: 99 }],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=5-2", null],
    ["bytes=0-1,3-4", null],
    ["lines=1-2", null],
  ] as const)
    it(`parses the Range header ${header} of a file with 100 bytes`, () =>
      expect(parseRange(header, 100)).toEqual(range))
  it("finds no satisfiable range in an empty file", () => expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable"))
})

describe("event streams", () => {
  const once = async (signals: AbortSignal[], events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>) =>
    eventStream(async (signal) => events(signal), signals)
  const forever = async function* (signal: AbortSignal): AsyncGenerator<ServerEvent> {
    yield { event: "progress", data: { text: "two\nlines" } }
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  }
  it("sends each event as its name and one line of JSON", async () => {
    const response = await once([], async function* () {
      yield { event: "progress", data: { text: "two\nlines" } }
      yield { event: "end", data: 1 }
    })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(await response.text()).toBe('event: progress\ndata: {"text":"two\\nlines"}\n\nevent: end\ndata: 1\n\n')
  })
  it("ends the stream when the service stops", async () => {
    const stopping = new AbortController()
    const text = (await once([stopping.signal], forever)).text()
    setTimeout(() => stopping.abort(), 20)
    expect(await text).toMatch(/^event: progress\n/)
  })
  it("aborts the source of a stream when the client disconnects", async () => {
    let signal: AbortSignal | undefined
    const response = await once([], (own) => {
      signal = own
      return forever(own)
    })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(signal?.aborted).toBe(true)
  })
})
