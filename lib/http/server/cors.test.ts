import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { raw, serve, tempConfig } from "#test/fixtures/web.ts"
import type { HttpServer } from "./http-server.ts"

const ORIGIN = "https://notes.example"
const TOKEN = "a-token-of-24-characters"
const { config, remove } = tempConfig({ SERVICE_ALLOWED_ORIGINS: ORIGIN, SERVICE_API_TOKEN: TOKEN })
let front: HttpServer
let reached = 0

beforeAll(async () => {
  front = await serve(config, async () => {
    reached++
    return Response.json({}, { headers: { etag: '"a"' } })
  })
})
afterAll(async () => {
  await front.close({ deadlineMs: 0 })
  remove()
})

const preflight = (origin: string, headers: Record<string, string> = {}) =>
  raw(front.url, "/jobs/audio", {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", ...headers },
  })

describe("CORS", () => {
  it("answers the preflight of an allowed origin before the token check, without reaching a route", async () => {
    reached = 0
    const { status, headers } = await preflight(ORIGIN, { "access-control-request-headers": "authorization" })
    expect([status, reached]).toEqual([204, 0])
    expect(headers).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers":
        "authorization, content-type, if-match, if-none-match, idempotency-key, range, tus-resumable, upload-checksum, upload-length, upload-metadata, upload-offset, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
      vary: "Origin",
    })
    expect(headers).not.toHaveProperty("access-control-allow-credentials")
  })

  it("answers the preflight of another origin like any request without a token", async () => {
    for (const origin of ["https://evil.example", `${ORIGIN}.evil.example`, "null"]) {
      const { status, headers } = await preflight(origin)
      expect([status, headers["access-control-allow-origin"], headers.vary]).toEqual([
        401,
        undefined,
        "Origin, Accept-Encoding",
      ])
    }
    expect((await preflight(ORIGIN, { host: "evil.example" })).status).toBe(403)
  })

  it("lets an allowed origin read answers and errors, and embed media", async () => {
    const read = {
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers":
        "etag, location, retry-after, x-request-id, content-range, earmark-warnings, idempotent-replayed, www-authenticate, tus-checksum-algorithm, tus-extension, tus-max-size, tus-resumable, tus-version, upload-expires, upload-length, upload-metadata, upload-offset",
      "cross-origin-resource-policy": "cross-origin",
      vary: "Origin, Accept-Encoding",
    }
    const headers = { origin: ORIGIN, "sec-fetch-site": "cross-site" }
    const answer = await raw(front.url, "/clips", { headers: { ...headers, authorization: `Bearer ${TOKEN}` } })
    expect([answer.status, answer.headers]).toMatchObject([200, read])
    const denied = await raw(front.url, "/clips", { headers })
    expect([denied.status, denied.headers, denied.json]).toMatchObject([401, read, { code: "unauthorized" }])
    // A media element without `crossorigin` sends no Origin.
    const media = { referer: `${ORIGIN}/page`, "sec-fetch-site": "cross-site", authorization: `Bearer ${TOKEN}` }
    expect((await raw(front.url, "/clips/a/audio", { headers: media })).status).toBe(200)
  })

  it("gives other origins nothing", async () => {
    const headers = { origin: "https://evil.example", authorization: `Bearer ${TOKEN}` }
    const answer = await raw(front.url, "/clips", { headers })
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin")
    expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin")
    const write = await raw(front.url, "/clips", { method: "POST", headers, body: "{}" })
    expect(write.status).toBe(403)
    const media = { referer: "https://evil.example/", "sec-fetch-site": "cross-site", authorization: `Bearer ${TOKEN}` }
    expect((await raw(front.url, "/clips/a/audio", { headers: media })).status).toBe(403)
  })
})

describe("request IDs", () => {
  it("are taken from the client if they are plain, and otherwise made", async () => {
    const idOf = async (id: string) => (await raw(front.url, "/clips", { headers: { "x-request-id": id } })).json
    expect(await idOf("req_1.a:b-2")).toMatchObject({ request_id: "req_1.a:b-2" })
    const { headers, json } = await raw(front.url, "/clips", { headers: { "x-request-id": "a b" } })
    expect(json).toMatchObject({ request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(headers["x-request-id"]).toBe((json as { request_id?: string }).request_id)
  })
})
