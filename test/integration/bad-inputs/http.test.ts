import { createConnection } from "node:net"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Answer, openTarget, type Target } from "#test/fixtures/bad-inputs.ts"
import { raw } from "#test/fixtures/web.ts"

/** Sends malicious requests to the service. */
let t: Target
const words = [{ word: "hello", start: 0, end: 1, speaker: "0" }]

beforeAll(async () => {
  t = await openTarget((_request, response) => void response.end())
})
afterEach(() => t.check())
afterAll(() => t.close())

const expectRejected = (answer: Pick<Answer, "status" | "text">, ...statuses: number[]) => {
  expect(statuses, answer.text.slice(0, 200)).toContain(answer.status)
  expect(typeof JSON.parse(answer.text).detail).toBe("string")
}

describe("uploads", () => {
  const headers = { "content-type": "multipart/form-data; boundary=b" }
  const part = (name: string, more = "") => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  it("answers 413 to an upload of one byte over the limit that declares no length", async () => {
    const limit = 3 * 2 ** 20
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(part("file", '; filename="a.wav"')))
        controller.enqueue(Buffer.from("RIFF\0\0\0\0WAVE"))
        controller.enqueue(Buffer.alloc(limit - 11))
        controller.enqueue(Buffer.from("\r\n--b--\r\n"))
        controller.close()
      },
    })
    expectRejected(await t.call("POST", "/jobs/audio", body, headers), 413)
  })
  it.each([
    [422, "ten thousand fields", Array.from({ length: 10_000 }, (_, i) => `${part(`f${i}`)}x\r\n`).join("")],
    [
      422,
      "ten thousand files",
      Array.from({ length: 10_000 }, () => `${part("file", '; filename="a"')}x\r\n`).join(""),
    ],
    [422, "a field name of a megabyte", `${part("x".repeat(1_000_000))}x\r\n`],
    [400, "a file that does not end", part("file", '; filename="a.wav"')],
    [422, "ten thousand parts without a name", "--b\r\n\r\n\r\nx\r\n".repeat(10_000)],
    [400, "no boundary", "nonsense"],
    [422, "an empty file", `${part("file", '; filename="a.wav"')}${"\r\n--b--\r\n"}`],
  ])("answers %i to a form with %s", async (status, _, body) => {
    expectRejected(await t.call("POST", "/jobs/audio", body, headers), status)
  })
  it("answers 400 to a form whose content type names no boundary", async () => {
    expectRejected(await t.call("POST", "/jobs/audio", "--b", { "content-type": "multipart/form-data" }), 400)
  })
})

describe("JSON bodies", () => {
  it("answers 415 to JSON with another content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
      expectRejected(await t.call("POST", "/jobs/audio", '{"source":"x"}', type ? { "content-type": type } : {}), 415)
  })
  for (const [what, body, status] of [
    ["broken", "{", 400],
    ["invalid because of NaN", '{"source":"x","speakers":NaN}', 400],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a number", "7", 422],
    ["null", "null", 422],
    ["an object with an infinite number", '{"source":"x.wav","speakers":1e400}', 422],
    [
      "an object with an integer of 30 digits",
      '{"source":"x.wav","max_concurrency":123456789012345678901234567890}',
      422,
    ],
    ["nested ten thousand deep in a field", `{"source":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, 422],
    ["nested a hundred thousand deep", "[".repeat(100_000), 400],
    ["an object with the same name twice", '{"source":"x.wav","source":"/etc/passwd"}', 403],
    [
      "an object that sets its prototype",
      '{"__proto__":{"source":"x"},"constructor":{"prototype":{"source":"x"}}}',
      422,
    ],
  ] as const)
    it(`answers ${status} to JSON that is ${what}`, async () =>
      expectRejected(await t.call("POST", "/jobs/audio", body, { "content-type": "application/json" }), status))
  it("answers 413 to JSON of fifty megabytes", async () => {
    expectRejected(await t.send(`{"source":"${"x".repeat(50 << 20)}"}`), 413)
  })
  it("answers 422 to fields of a wrong type", async () => {
    for (const body of [
      { source: 7 },
      { source: ["x"] },
      { source: "x.wav", speakers: "5" },
      { source: "x.wav", num_ctx_l1: 1e9 },
      { source: "x.wav", reasoning: "true" },
      { source: "x.wav", transcription: {} },
      { source: "x.wav", transcription: [{ word: "", start: 0, end: 1 }] },
      { source: "x.wav", transcription: [{ word: "a", start: -1, end: 1 }] },
    ])
      expectRejected(await t.send(body), 422)
    for (const query of ["top_k=-1", "top_k=1e9", "top_k=x", "top_k=1.5"])
      expectRejected(await t.call("GET", `/viz/search?q=a&${query}`), 422)
    for (const patch of [{ title: 7 }, { title: "" }, { speakers: [] }, { speakers: { "": "x" } }, "[]"])
      expectRejected(await t.send(patch, "/clips/x", "PATCH"), 422)
  })
})

describe("IDs and queries", () => {
  const maliciousIds = ["'; DROP TABLE jobs;--", '" OR 1=1 --', "../x", "..%2fx", "*", "\u202E", "0", "null"]
  it.each([
    ...maliciousIds.map((id) => [404, id, id] as const),
    [404, "of 10,000 characters", "x".repeat(10_000)] as const,
  ])("answers %i to the ID %s", async (status, _, id) => {
    const paths = [
      "/jobs/$",
      "/jobs/$/result",
      "/jobs/$/events",
      "/clips/$",
      "/clips/$/audio",
      "/clips/$/export?format=srt",
    ]
    for (const path of paths) expectRejected(await t.call("GET", path.replace("$", encodeURIComponent(id))), status)
    expectRejected(await t.call("DELETE", `/clips/${encodeURIComponent(id)}`), status)
    expect((await t.call("GET", "/jobs")).status).toBe(200)
  })
  it("answers 422 to an invalid cursor", async () => {
    for (const cursor of ["'; DROP TABLE jobs;--", "W10", "WzEsIiJd", "x".repeat(300)])
      for (const path of ["/jobs", "/clips"])
        expectRejected(await t.call("GET", `${path}?cursor=${encodeURIComponent(cursor)}`), 422)
  })
  it("searches for characters that have a meaning in queries", async () => {
    for (const q of ['"', "NEAR(", "a AND", "*", "^", "col:x", "🎧", "\0", "x".repeat(512)])
      expect((await t.call("GET", `/viz/search?q=${encodeURIComponent(q)}`)).status, q).toBe(200)
  })
})

describe("hosts and origins", () => {
  for (const host of ["evil.com", "localhost.evil.com", "127.0.0.1.nip.io", "127.0.0.1@evil.com", "", "[::1", "a b"])
    it(`rejects the Host header ${JSON.stringify(host)}`, async () =>
      expectRejected(await raw(t.url, "/health", { headers: { host }, setHost: false }), 400, 403))
  it("rejects requests with no Host header, two of them, or no HTTP at all", async () => {
    const { hostname, port } = new URL(t.url)
    const sendText = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = ""
        const socket = createConnection(Number(port), hostname, () => socket.end(text))
        socket.on("data", (d) => (answer += d)).on("close", () => resolve(answer))
      })
    expect(await sendText("GET /jobs HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 40[03] /)
    expect(await sendText("GET /jobs HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n")).toMatch(
      /^HTTP\/1.1 40[03] /,
    )
    expect(await sendText("nonsense\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /)
  })
  const source = () => JSON.stringify({ source: join(t.root, "x.wav"), transcription: words })
  for (const headers of [
    { origin: "https://evil.com" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { origin: "http://127.0.0.1:1" },
  ])
    it(`rejects writes with ${JSON.stringify(headers)}`, async () => {
      const before = (await t.call("GET", "/jobs")).text
      for (const type of ["application/json", "text/plain"]) {
        const all = { "content-type": type, ...headers } as Record<string, string>
        expectRejected(await raw(t.url, "/jobs/audio", { method: "POST", headers: all, body: source() }), 403, 415)
      }
      expectRejected(
        await raw(t.url, "/clips/x", { method: "DELETE", headers: headers as Record<string, string> }),
        403,
      )
      expect((await t.call("GET", "/jobs")).text).toBe(before)
    })
  it("allows no preflight of another origin and opens no WebSocket", async () => {
    const preflight = await raw(t.url, "/jobs/audio", {
      method: "OPTIONS",
      headers: {
        origin: "https://evil.com",
        "access-control-request-method": "POST",
        "access-control-request-private-network": "true",
      },
    })
    expect(Object.keys(preflight.headers).filter((h) => h.startsWith("access-control"))).toEqual([])
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      origin: "https://evil.com",
      "sec-websocket-version": "13",
    }
    expect((await raw(t.url, "/", { headers: upgrade })).status).toBe(403)
  })
})

describe("titles that are markup", () => {
  const markup = "</script><script>alert(1)</script><img src=x onerror=alert(1)>=cmd|"
  it("are escaped in pages, JSON and exports", async () => {
    const transcription = [..."abcdef"].map((_, i) => ({ word: markup, start: i, end: i + 1, speaker: "0" }))
    const sent = await t.send({ source: join(t.root, "x.wav"), title: markup, transcription })
    expect(await t.outcome(sent)).toBe("done")
    const { session_id } = JSON.parse(sent.text)
    expect((await t.send({ speakers: { "0": markup } }, `/clips/${session_id}`, "PATCH")).status).toBe(200)
    for (const path of ["/viz/data", "/clips", `/clips/${session_id}`, "/jobs", "/viz/search?q=alert"]) {
      const { headers } = await t.call("GET", path)
      expect([headers.get("content-type"), headers.get("x-content-type-options")], path).toEqual([
        expect.stringContaining("application/json"),
        "nosniff",
      ])
    }
    for (const path of ["/", `/?job=${encodeURIComponent(markup)}`, "/viz", `/viz?clip=${encodeURIComponent(markup)}`])
      expect((await t.call("GET", path, undefined, { accept: "text/html" })).text, path).not.toContain("<script>alert")
    for (const format of ["srt", "vtt", "md", "youtube"]) {
      const { text, headers } = await t.call("GET", `/clips/${session_id}/export?format=${format}`)
      expect(text, format).not.toMatch(/(^|[^\\])<(img|script)/)
      expect(headers.get("content-disposition")).toMatch(
        /^attachment; filename="[\w .()=-]+"; filename\*=UTF-8''[\w.~%!-]+$/,
      )
    }
  })
})

describe("methods and limits", () => {
  it("rejects unknown and unsupported methods", async () => {
    for (const [method, path] of [
      ["TRACE", "/health"],
      ["PUT", "/health"],
      ["POST", "/clips"],
      ["DELETE", "/viz"],
      ["PROPFIND", "/jobs"],
    ] as const) {
      const { status } = await raw(t.url, path, { method })
      expect([400, 405], method).toContain(status)
    }
  })
  it("answers 431 to headers of 64 kB", async () =>
    expectRejected(await raw(t.url, "/jobs", { headers: { x: "y".repeat(65_536) } }), 431))
  it("answers 200 requests while 500 connections stay silent", async () => {
    const { hostname, port } = new URL(t.url)
    const sockets = Array.from({ length: 500 }, () =>
      createConnection(Number(port), hostname).on("error", () => undefined),
    )
    await t.check()
    const answers = await Promise.all(Array.from({ length: 200 }, () => t.send({ source: "/etc/passwd" })))
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([403]))
    for (const socket of sockets) socket.destroy()
  })
})
