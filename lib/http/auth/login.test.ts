import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { raw, serve, tempConfig } from "#test/fixtures/web.ts"
import type { HttpServer } from "../server/http-server.ts"
import { clientKey, createAuthThrottle } from "./auth-throttle.ts"
import { sanitizeRedirectPath } from "./login.ts"
import { hasSession, sessionCookie } from "./session.ts"

const TOKEN = "correct horse battery"
const HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
const { config, remove } = tempConfig({ SERVICE_API_TOKEN: TOKEN })
let front: HttpServer

beforeAll(async () => {
  front = await serve(config, async (request) => new Response(new URL(request.url).pathname))
})
afterAll(async () => {
  await front.close({ deadlineMs: 0 })
  remove()
})

const logIn = (token: string, next = "/viz?a=1", headers: Record<string, string> = {}, server = front) =>
  raw(server.url, "/login", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: HTML, ...headers },
    body: new URLSearchParams({ token, next }).toString(),
  })
const cookieOf = (answer: Awaited<ReturnType<typeof logIn>>) => String(answer.headers["set-cookie"]).split(";")[0]!

describe("requests without a token", () => {
  it("redirects browsers to the sign-in form, which leads back to the requested page", async () => {
    const { status, headers } = await raw(front.url, "/viz?a=1&b=%22", { headers: { accept: HTML } })
    expect([status, headers.location]).toEqual([303, "/login?next=%2Fviz%3Fa%3D1%26b%3D%2522"])
    const form = await raw(front.url, String(headers.location), { headers: { accept: HTML } })
    expect([form.status, form.text]).toEqual([200, expect.stringContaining('value="/viz?a=1&amp;b=%22"')])
    expect(form.text).not.toMatch(/<script|src=|url\(/)
    expect(form.headers["content-security-policy"]).toContain("form-action 'self'")
  })
  for (const [what, p] of [
    ["a client that asks for JSON", { headers: { accept: "application/json" } }],
    ["a client without an Accept header", {}],
    ["a write of a browser", { method: "POST", headers: { accept: HTML } }],
  ] as const)
    it(`responds with a JSON 401 to ${what}`, async () => {
      const { status, json, headers } = await raw(front.url, "/viz", p)
      expect([status, json?.detail, headers["www-authenticate"]]).toEqual([
        401,
        expect.stringMatching(/token/),
        "Bearer",
      ])
    })
  it("does not treat other spellings of /login as the sign-in page", async () => {
    for (const path of ["/log%69n", "/login/", "/LOGIN", "/login;x", "/logout/x"])
      expect((await raw(front.url, path)).status, path).toBe(401)
    expect((await raw(front.url, "/login/../viz")).status).toBe(400)
  })
})

describe("the sign-in form", () => {
  it("exchanges the token for a cookie that is valid on every path and does not contain it", async () => {
    const answer = await logIn(` ${TOKEN}\n`)
    expect([answer.status, answer.headers.location]).toEqual([303, "/viz?a=1"])
    const cookie = String(answer.headers["set-cookie"])
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/"]) expect(cookie).toContain(part)
    expect(cookie).not.toContain("Secure")
    expect(decodeURIComponent(cookie)).not.toContain(TOKEN)
    for (const path of ["/viz", "/nope", "/jobs"])
      expect(await raw(front.url, path, { headers: { cookie: `a=b; ${cookieOf(answer)}` } })).toMatchObject({
        status: 200,
        text: path,
      })
    expect((await logIn(TOKEN, "/", { "x-forwarded-proto": "https" })).headers["set-cookie"]?.[0]).toContain("; Secure")
  })
  it("offers to sign out, which removes the cookie", async () => {
    const cookie = cookieOf(await logIn(TOKEN))
    expect((await raw(front.url, "/login", { headers: { cookie } })).text).toContain('action="/logout"')
    const out = await raw(front.url, "/logout", { method: "POST", headers: { cookie } })
    expect([out.status, out.headers.location, out.headers["set-cookie"]?.[0]]).toEqual([
      303,
      "/login",
      expect.stringMatching(/^earmark_session=; Max-Age=0/),
    ])
    expect((await raw(front.url, "/logout")).status).toBe(405)
  })
  it("rejects a sign-in sent by a foreign page", async () => {
    expect((await logIn(TOKEN, "/", { origin: "https://evil.example" })).status).toBe(403)
    expect((await logIn(TOKEN, "/", { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await logIn(TOKEN, "/", { origin: front.url, "sec-fetch-site": "same-origin" })).status).toBe(303)
  })
  it("rejects sign-in bodies that are too large or not a form", async () => {
    expect((await logIn("x".repeat(20_000))).status).toBe(413)
    expect((await logIn(TOKEN, "/", { "content-type": "application/json" })).status).toBe(415)
    expect((await raw(front.url, "/login", { method: "PUT" })).status).toBe(405)
  })
  it("rejects every token for a minute after ten wrong ones", async () => {
    for (let i = 0; i < 10; i++) expect((await logIn(`wrong ${i}`)).status).toBe(401)
    const rejected = await logIn(TOKEN)
    expect([rejected.status, Number(rejected.headers["retry-after"]), rejected.headers["set-cookie"]]).toEqual([
      429,
      expect.any(Number),
      undefined,
    ])
    expect((await raw(front.url, "/jobs", { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
  })
})

describe("wrong bearer tokens", () => {
  const ask = (token: string | undefined, target: HttpServer, localAddress?: string) =>
    raw(target.url, "/jobs", {
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(localAddress && { localAddress }),
    })
  const start = async () => {
    const own = tempConfig({ SERVICE_API_TOKEN: TOKEN })
    const server = await serve(own.config, async () => new Response("in"))
    const close = async () => {
      await server.close({ deadlineMs: 0 })
      own.remove()
    }
    return { server, close }
  }
  it("rejects only the address that sent ten wrong tokens, with Retry-After", async () => {
    const { server, close } = await start()
    for (let i = 0; i < 10; i++) expect((await ask(`wrong ${i}`, server)).status).toBe(401)
    for (const token of ["wrong", TOKEN]) {
      const { status, json, headers } = await ask(token, server)
      expect([status, json?.detail]).toEqual([429, expect.stringMatching(/wrong tokens/)])
      expect(Number(headers["retry-after"])).toBeGreaterThan(0)
    }
    expect((await ask(TOKEN, server, "127.0.0.2")).status).toBe(200)
    expect((await raw(server.url, "/health")).status).toBe(200)
    expect((await logIn(TOKEN, "/", {}, server)).status).toBe(303)
    await close()
  })
  it("keeps accepting the right token from an address that sent it before", async () => {
    const { server, close } = await start()
    expect((await ask(TOKEN, server)).status).toBe(200)
    for (let i = 0; i < 30; i++) expect([401, 429]).toContain((await ask(`wrong ${i}`, server)).status)
    expect((await ask("wrong", server)).status).toBe(429)
    expect((await ask(TOKEN, server)).status).toBe(200)
    await close()
  })
  it("does not count requests without a token, and does not reject sessions", async () => {
    const { server, close } = await start()
    for (let i = 0; i < 15; i++) expect((await ask(undefined, server)).status).toBe(401)
    const cookie = cookieOf(await logIn(TOKEN, "/", {}, server))
    for (let i = 0; i < 12; i++) await ask("wrong", server)
    expect((await raw(server.url, "/jobs", { headers: { cookie } })).status).toBe(200)
    await close()
  })
  it("counts wrong tokens by IPv4 address or IPv6 network", () => {
    const of = (remoteAddress: string) => clientKey({ socket: { remoteAddress } } as never)
    expect(of("2001:db8:1:2::1")).toBe(of("2001:db8:1:2:ffff::9"))
    expect(of("2001:db8:1:3::1")).not.toBe(of("2001:db8:1:2::1"))
    expect(of("::ffff:10.0.0.1")).toBe(of("10.0.0.1"))
  })
})

it("redirects /login to the home page if no token is set", async () => {
  const own = tempConfig()
  const open = await serve(own.config, async () => new Response("in"))
  expect((await raw(open.url, "/login?next=//evil.example")).headers.location).toBe("/")
  await open.close({ deadlineMs: 0 })
  own.remove()
})

describe("session cookies", () => {
  const request = (cookie: string) => ({ headers: { cookie } }) as never
  const given = sessionCookie({ headers: {} } as never, TOKEN, 1_000_000).split(";")[0]!
  it("invalidates a session when it expires or the token changes", () => {
    expect(hasSession(request(given), TOKEN, 1_000_001)).toBe(true)
    expect(hasSession(request(given), TOKEN, 1_000_000 + 31 * 86_400_000)).toBe(false)
    expect(hasSession(request(given), `${TOKEN}2`, 1_000_001)).toBe(false)
  })
  it("finds a valid session cookie behind another one of the same name", () => {
    expect(hasSession(request(`earmark_session=1.x; ${given}`), TOKEN, 1_000_001)).toBe(true)
  })
  it("rejects forged and extended session cookies", () => {
    const [, mac] = given.split("=")[1]!.split(".")
    for (const value of [`9999999999999.${mac}`, mac, ".", "1e15.x", "", "a=b", `${"9".repeat(400)}.${mac}`])
      expect(hasSession(request(`earmark_session=${value}`), TOKEN, 1_000_001), value).toBe(false)
  })
})

describe("sanitizeRedirectPath", () => {
  for (const bad of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/.//evil.example",
    "/a\tb",
    "javascript:x",
    "",
    null,
    "/login?next=/x",
    "/..//evil",
    "/%2e%2e//evil",
  ])
    it(`returns / for ${JSON.stringify(bad)}`, () => expect(sanitizeRedirectPath(bad)).toBe("/"))
  for (const good of ["/", "/viz?clip=a&t=3", "/clips/x/export?format=md", "/%2Fevil"])
    it(`keeps ${good}`, () => expect(sanitizeRedirectPath(good)).toBe(good))
  it("never returns a path that a browser would resolve to another origin", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."/\\.:@?#%2fFeE\t a") }), (text) => {
        const url = new URL(sanitizeRedirectPath(`/${text}`), "http://here.example/login")
        expect(url.origin).toBe("http://here.example")
      }),
    ))
})

it("counts wrong tokens by client and forgets them after a minute", () => {
  let now = 0
  const throttle = createAuthThrottle(() => now)
  for (let i = 0; i < 10; i++) throttle.failed("a")
  expect([throttle.waitMs("a"), throttle.waitMs("b")]).toEqual([60_000, 0])
  now = 60_000
  expect(throttle.waitMs("a")).toBe(0)
  for (let i = 0; i < 9; i++) throttle.failed("a")
  throttle.succeeded("a")
  throttle.failed("a")
  expect(throttle.waitMs("a")).toBe(0)
})
