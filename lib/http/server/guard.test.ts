import type { IncomingMessage } from "node:http"
import { describe, expect, it, vi } from "vitest"
import { createAuthThrottle } from "../auth/auth-throttle.ts"
import { createGuard, isLoopback, requireTokenIfPublic } from "./guard.ts"

const LIMIT = 1000
const FORM_OVERHEAD = 33 * 2 ** 20

type Sent = { url?: string; method?: string; headers?: Record<string, string> }

const requestOf = ({ url = "/jobs", method = "POST", headers = {} }: Sent): IncomingMessage => {
  const all: Record<string, string> = { host: "localhost", ...headers }
  return {
    url,
    method,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    socket: { remoteAddress: "10.0.0.1" },
  } as never
}

const openAccess = { isRequired: async () => false, findCaller: async () => null, checkToken: vi.fn() }
const guardWith = (options: Partial<Parameters<typeof createGuard>[0]> = {}) =>
  createGuard({
    allowedHosts: ["localhost", "::1", "earmark.example:8443"],
    allowedOrigins: ["https://notes.example"],
    maxJsonBytes: LIMIT,
    maxUploadBytes: 2 * LIMIT,
    access: openAccess,
    throttle: createAuthThrottle(),
    ...options,
  })

/** Returns the code with which the guard rejects a request, or null. */
const codeFor = async (sent: Sent, guard = guardWith()): Promise<string | null> =>
  guard(requestOf(sent)).then(
    () => null,
    (error: { code: string }) => error.code,
  )

describe("the body of a request", () => {
  const json = { "content-type": "application/json" }
  const form = { "content-type": "multipart/form-data; boundary=b" }
  const part = { "content-type": "application/offset+octet-stream" }
  it.each<[string, Sent, string | null]>([
    ["JSON up to its limit", { headers: { ...json, "content-length": `${LIMIT}` } }, null],
    ["JSON over its limit", { headers: { ...json, "content-length": `${LIMIT + 1}` } }, "too_large"],
    ["a form up to its limit", { headers: { ...form, "content-length": `${2 * LIMIT + FORM_OVERHEAD}` } }, null],
    [
      "a form over its limit",
      { headers: { ...form, "content-length": `${2 * LIMIT + FORM_OVERHEAD + 1}` } },
      "too_large",
    ],
    ["text", { headers: { "content-type": "text/plain", "content-length": "1" } }, "unsupported_media"],
    [
      "text of unknown length",
      { headers: { "content-type": "a/b", "transfer-encoding": "chunked" } },
      "unsupported_media",
    ],
    ["nothing", { headers: { "content-type": "text/plain", "content-length": "0" } }, null],
    ["text, which nobody reads", { method: "GET", headers: { "content-type": "a/b", "content-length": "1" } }, null],
    ["a part of an upload", { url: "/uploads/a", method: "PATCH", headers: { ...part, "content-length": "1" } }, null],
    ["JSON for an upload", { url: "/uploads", headers: { ...json, "content-length": "1" } }, "unsupported_media"],
    ["a part for another path", { url: "/uploadsx", headers: { ...part, "content-length": "1" } }, "unsupported_media"],
    [
      "compressed JSON",
      { headers: { ...json, "content-length": "1", "content-encoding": "gzip" } },
      "unsupported_media",
    ],
    ["plain JSON", { headers: { ...json, "content-length": "1", "content-encoding": "Identity" } }, null],
    ["the login form", { url: "/login", headers: { "content-type": "a/b", "content-length": "1" } }, null],
  ])("is accepted or rejected by type and length: %s", async (_what, sent, code) => {
    expect(await codeFor(sent)).toBe(code)
  })

  it("is rejected with both sizes in megabytes, rounded up", async () => {
    const guard = guardWith({ maxJsonBytes: 2 ** 20, maxUploadBytes: 2 ** 20 })
    const length = { "content-length": `${40 * 2 ** 20 - 5}` }
    await expect(guard(requestOf({ headers: { ...json, ...length } }))).rejects.toThrow(
      "The JSON body has 40 MB. The maximum is 1 MB.",
    )
    await expect(guard(requestOf({ headers: { ...form, ...length } }))).rejects.toThrow(
      "The recording has 40 MB. The maximum is 1 MB (SERVICE_MAX_UPLOAD_MB).",
    )
  })
})

describe("the host of a request", () => {
  it.each<[string, string | null]>([
    ["localhost", null],
    ["localhost:1234", null],
    ["[::1]", null],
    ["[::1]:8000", null],
    ["::1", "forbidden"],
    ["Earmark.example:8443", null],
    ["earmark.example", "forbidden"],
    ["earmark.example:8444", "forbidden"],
    ["localhost:80:80", "forbidden"],
  ])("%s is accepted, or rejected as %s", async (host, code) => {
    expect(await codeFor({ method: "GET", headers: { host } })).toBe(code)
  })
})

describe("a write", () => {
  it.each<[string, Record<string, string>, string | null]>([
    ["its own page", { origin: "http://localhost" }, null],
    ["its own page behind TLS", { origin: "https://LOCALHOST" }, null],
    ["an allowed page", { origin: "https://notes.example", "sec-fetch-site": "cross-site" }, null],
    ["a similar page", { origin: "https://notes.example.evil" }, "forbidden"],
    ["its own host on another port", { origin: "http://localhost:1" }, "forbidden"],
    ["a page that hides its origin", { "sec-fetch-site": "cross-site" }, "forbidden"],
    ["its own origin under a false site", { origin: "http://localhost", "sec-fetch-site": "cross-site" }, "forbidden"],
    ["a sibling site", { "sec-fetch-site": "same-site" }, "forbidden"],
    ["its own site", { "sec-fetch-site": "same-origin" }, null],
    ["a program", {}, null],
  ])("of %s is accepted or rejected", async (_what, headers, code) => {
    expect(await codeFor({ headers })).toBe(code)
    // Opening a WebSocket counts as a write.
    expect(await codeFor({ method: "GET", headers: { ...headers, upgrade: "websocket", "sec-fetch-mode": "x" } })).toBe(
      code,
    )
  })
})

describe("a bearer token", () => {
  const verdicts = {
    good: { scopes: ["read"], token: { id: "t" } },
    old: { scopes: null, isKnown: true, reason: "The token 'a' \"expired\"." },
    bad: { scopes: null, isKnown: false, reason: "This token is not known." },
  }
  const setup = () => {
    const throttle = createAuthThrottle(() => 0)
    const checkToken = vi.fn(async (text: string, beforeRetry: () => void) => {
      if (text === "bad") beforeRetry()
      return verdicts[text as keyof typeof verdicts] as never
    })
    const access = { isRequired: async () => true, findCaller: async () => null, checkToken }
    const guard = guardWith({ access, throttle })
    const ask = async (token: string) => {
      const request = requestOf({ method: "GET", headers: { authorization: `Bearer ${token}` } })
      const error = await guard(request).then(
        () => null,
        (thrown: { code: string; retryInMs?: number; challenge?: string }) => thrown,
      )
      return { code: error?.code ?? null, error, headers: request.headers }
    }
    return { ask, checkToken, guard }
  }

  it("tells the route its scopes and ID", async () => {
    const { headers } = await setup().ask("good")
    expect(headers).toMatchObject({ "x-earmark-scopes": "read", "x-earmark-token-id": "t" })
  })

  it("is not even checked after ten wrong ones, unless the address sent the right one before", async () => {
    const { ask, checkToken } = setup()
    for (let i = 0; i < 10; i++) expect((await ask("bad")).code).toBe("unauthorized")
    checkToken.mockClear()
    const { code, error } = await ask("good")
    expect([code, error?.retryInMs, checkToken.mock.calls]).toEqual(["too_many", 60_000, []])
    const trusted = setup()
    await trusted.ask("good")
    for (let i = 0; i < 10; i++) await trusted.ask("bad")
    expect([(await trusted.ask("bad")).code, (await trusted.ask("good")).code]).toEqual(["too_many", null])
    // An expired token of a trusted address is no guess, so its owner learns why it is rejected.
    expect((await trusted.ask("old")).code).toBe("unauthorized")
  })

  it("is rejected with the reason, in which quotes cannot end the header", async () => {
    const { error } = await setup().ask("old")
    expect(error?.challenge).toBe(`error="invalid_token", error_description="The token 'a' 'expired'."`)
  })

  it.each(["/health", "/%68ealth", "/health?x=1", "/login", "/logout"])("is not needed for %s", async (url) => {
    expect(await codeFor({ url, method: "GET" }, setup().guard)).toBeNull()
  })

  it.each(["/health/ready", "/healthx", "/login/", "/%6cogin", "/"])("is needed for %s", async (url) => {
    expect(await codeFor({ url, method: "GET" }, setup().guard)).toBe("unauthorized")
  })
})

it.each<[string, boolean]>([
  ["localhost", true],
  ["::1", true],
  ["127.0.0.1", true],
  ["127.12.0.200", true],
  ["127.0.0.1.example", false],
  ["x127.0.0.1", false],
  ["0.0.0.0", false],
  ["::", false],
  ["128.0.0.1", false],
])("%s is reached from this machine only: %j", (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

it.each<[string, { host: string; token: string | undefined; tokens: number | null }, boolean]>([
  ["on this machine", { host: "127.0.0.1", token: undefined, tokens: null }, true],
  ["with a token in the settings", { host: "0.0.0.0", token: "t", tokens: null }, true],
  ["with an API token", { host: "0.0.0.0", token: undefined, tokens: 1 }, true],
  ["without tokens", { host: "0.0.0.0", token: undefined, tokens: 0 }, false],
  ["without a database", { host: "0.0.0.0", token: undefined, tokens: null }, false],
])("a service %s may start: %j", async (_what, { tokens, ...address }, isAllowed) => {
  const store = tokens === null ? null : { list: async () => Array.from({ length: tokens }, () => ({})) as never }
  const checking = requireTokenIfPublic(address, store)
  if (isAllowed) await checking
  else await expect(checking).rejects.toMatchObject({ code: "invalid", message: expect.stringMatching(/0\.0\.0\.0/) })
})
