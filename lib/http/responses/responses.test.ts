import { describe, expect, it } from "vitest"
import { prefersHtml } from "../server/error-responses.ts"
import { etagResponse, matchesEtag } from "./etag-response.ts"
import { eventStream, type ServerEvent } from "./event-stream.ts"

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
  ] as const)
    it(`${accept}: ${html}`, () => expect(prefersHtml(accept)).toBe(html))
})

describe("tags", () => {
  for (const [given, match] of [
    [null, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ["*", true],
    ['"b"', false],
  ] as const)
    it(`${given} against "a": ${match}`, () => expect(matchesEtag(given, '"a"')).toBe(match))
  it("answer 304 without a body, and keep what is hashed for good", async () => {
    const asked = (tag?: string) => new Request("http://localhost/x", tag ? { headers: { "if-none-match": tag } } : {})
    const same = etagResponse(asked('"a"'), { body: "x", etag: '"a"', type: "text/plain" })
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", '"a"'])
    const full = etagResponse(asked(), { body: "x", etag: '"a"', type: "text/plain", immutable: true })
    expect([full.status, full.headers.get("cache-control")]).toEqual([200, expect.stringContaining("immutable")])
  })
})

describe("event streams", () => {
  const once = async (signals: AbortSignal[], events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>) =>
    eventStream(async (signal) => events(signal), signals)
  const forever = async function* (signal: AbortSignal): AsyncGenerator<ServerEvent> {
    yield { event: "progress", data: { text: "two\nlines" } }
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  }
  it("send each event as a name and one line of JSON, and end", async () => {
    const response = await once([], async function* () {
      yield { event: "progress", data: { text: "two\nlines" } }
      yield { event: "end", data: 1 }
    })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(await response.text()).toBe('event: progress\ndata: {"text":"two\\nlines"}\n\nevent: end\ndata: 1\n\n')
  })
  it("end when the service stops", async () => {
    const stopping = new AbortController()
    const text = (await once([stopping.signal], forever)).text()
    setTimeout(() => stopping.abort(), 20)
    expect(await text).toMatch(/^event: progress\n/)
  })
  it("tell their source that the reader has gone", async () => {
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
