import http from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen, pages, raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"
import { type HttpServer, startHttpServer } from "./http-server.ts"

const { config, remove } = tempConfig()
let front: HttpServer
/** The requests that passed the guard. */
let reached: string[] = []

const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  reached.push(`${request.method} ${pathname}`)
  if (pathname === "/echo") return new Response(await request.text())
  if (pathname === "/page") return new Response("<html>", { headers: { "content-type": "text/html" } })
  if (pathname === "/action") return Response.json({ action: request.headers.get("next-action") })
  if (pathname === "/unread") return Response.json({ detail: "no" }, { status: 409 })
  if (pathname === "/throws") throw new Error("secret")
  if (pathname === "/no-body") return new Response(null, { status: 405 })
  return new Response("<html>not found</html>", { status: 404, headers: { "content-type": "text/html" } })
}

beforeAll(async () => {
  front = await serve(config, answer)
})
afterAll(async () => {
  await front.close({ deadlineMs: 0 })
  remove()
})

const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = ""
    const socket = connect(Number(new URL(front.url).port), "127.0.0.1", () => socket.write(text))
    socket
      .on("data", (d) => (got += d))
      .on("error", reject)
      .on("close", () => resolve(got))
  })

describe("paths", () => {
  for (const path of [
    "/%",
    "/jobs/%E0%A4%A",
    "/viz-assets/%ff",
    "/a%00b",
    "//evil.example/x",
    "/jobs/..",
    "/a/%2e%2E/b",
    "/./a",
  ])
    it(`rejects the path ${path} with 400`, async () => {
      reached = []
      const { status, json } = await raw(front.url, path)
      expect([status, typeof json?.detail, reached]).toEqual([400, "string", []])
    })
  it("accepts a query that is not valid percent-encoding", async () => {
    expect((await raw(front.url, "/page?x=%E0%A4%A&=&&%")).status).toBe(200)
  })
  it("responds with a JSON error to data that is not HTTP", async () => {
    expect(await sendRaw("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1.1 400[\s\S]*"detail"/)
    expect(await sendRaw("CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")).toMatch(/^HTTP\/1.1 400/)
    expect(await sendRaw(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ${"x".repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    )
  })
})

describe("Host", () => {
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "evil.example:80",
    "2130706433",
    "localhost@evil.example",
    "evil-localhost",
    "evil127.0.0.1",
    "evil.localhost:80",
  ])
    for (const path of ["/health", "/nope", "/_next/static/x.js"])
      it(`rejects the host '${host}' on ${path}`, async () => {
        const { status, json, headers } = await raw(front.url, path, { headers: { host } })
        expect([status, typeof json?.detail]).toEqual([403, "string"])
        expect(headers["access-control-allow-origin"]).toBeUndefined()
      })
  for (const host of ["localhost", "127.0.0.1:1234", "LOCALHOST:80", "[::1]:8000"])
    it(`accepts the host '${host}'`, async () =>
      expect((await raw(front.url, "/page", { headers: { host } })).status).toBe(200))
  it("requires exactly one Host header", async () => {
    expect(await sendRaw("GET /page HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 403/)
    expect(await sendRaw("GET /page HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 400/)
    expect(
      await sendRaw("GET /page HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
    ).toMatch(/^HTTP\/1.1 400/)
  })
})

describe("writes", () => {
  const json = { "content-type": "application/json" }
  const own = () => new URL(front.url).host
  const write = (headers: http.OutgoingHttpHeaders, method = "POST") =>
    raw(front.url, "/echo", { method, headers: { ...headers, "content-length": 2 }, body: "{}" })
  it("accepts writes from its own origin and from programs", async () => {
    expect((await write(json)).status).toBe(200)
    expect((await write({ ...json, origin: `http://${own()}`, "sec-fetch-site": "same-origin" })).status).toBe(200)
  })
  for (const foreign of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])
    it(`rejects writes with ${JSON.stringify(foreign)}`, async () => {
      for (const method of ["POST", "DELETE", "PUT", "PATCH"]) {
        const { status, headers } = await write({ ...json, ...foreign }, method)
        expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined])
      }
    })
  it("accepts only JSON and forms as bodies of writes", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
      expect((await write({ "content-type": type })).status, type).toBe(415)
  })
  it("accepts writes without a body and a content type", async () => {
    expect((await raw(front.url, "/echo", { method: "POST" })).status).toBe(200)
  })
  it("sends no CORS headers in response to a preflight request", async () => {
    const { headers } = await raw(front.url, "/page", {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-private-network": "true" },
    })
    expect(Object.keys(headers).filter((h) => h.startsWith("access-control"))).toEqual([])
  })
})

describe("reads", () => {
  const crossSite = { "sec-fetch-site": "cross-site" }
  const read = async (headers: http.OutgoingHttpHeaders, method = "GET") =>
    (await raw(front.url, "/page", { headers, method })).status
  it("rejects requests that the page of another site causes", async () => {
    reached = []
    for (const mode of ["no-cors", "cors", "same-origin", "websocket"])
      for (const method of ["GET", "HEAD"])
        expect(await read({ ...crossSite, "sec-fetch-mode": mode }, method), mode).toBe(403)
    expect(await read({ ...crossSite, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" })).toBe(403)
    expect(reached).toEqual([])
  })
  it("accepts links from other sites, its own pages and programs", async () => {
    expect(await read({ ...crossSite, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })).toBe(200)
    expect(await read({ ...crossSite, "sec-fetch-mode": "navigate" })).toBe(200)
    for (const site of ["same-origin", "same-site", "none"])
      expect(await read({ "sec-fetch-site": site, "sec-fetch-mode": "cors" }), site).toBe(200)
    expect(await read({})).toBe(200)
    expect(await read({ ...crossSite, "sec-fetch-mode": "cors" }, "OPTIONS")).toBe(204)
  })
  it("accepts requests of allowed origins", async () => {
    const { config: open, remove: clean } = tempConfig({ SERVICE_ALLOWED_ORIGINS: "https://notes.example" })
    const other = await serve(open, answer)
    const status = async (origin: string) =>
      (await raw(other.url, "/page", { headers: { ...crossSite, "sec-fetch-mode": "cors", origin } })).status
    expect([await status("https://notes.example"), await status("https://evil.example")]).toEqual([200, 403])
    await other.close({ deadlineMs: 0 })
    clean()
  })
})

describe("bodies", () => {
  it("rejects a body over the limit before reading it", async () => {
    reached = []
    const body = Buffer.alloc(33 * 2 ** 20, 120)
    const { status, json } = await raw(front.url, "/echo", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    expect([status, typeof json?.detail, reached]).toEqual([413, "string", []])
  })
  it("rejects a compressed body before reading it, and says so", async () => {
    reached = []
    const send = (encoding: string) =>
      raw(front.url, "/echo", {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": encoding },
        body: "{}",
      })
    const { status, json } = await send("gzip")
    expect([status, json?.detail, reached]).toEqual([415, expect.stringMatching(/compressed .*gzip/), []])
    expect((await send("identity")).status).toBe(200)
  })
  it("rejects other expectations than 100 Continue, with the ID of the request", async () => {
    const got = await sendRaw(
      "GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r-1\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n",
    )
    expect(got).toMatch(/^HTTP\/1.1 400/)
    expect(got).toContain('"request_id":"r-1"')
  })
  it("rejects a body that is too large without sending 100 Continue", async () => {
    const got = await sendRaw(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n",
    )
    expect(got).toMatch(/^HTTP\/1.1 413/)
  })
  it("delivers a response although the body of the request was never read", async () => {
    const body = Buffer.alloc(20 * 2 ** 20, 120)
    const { status, json } = await raw(front.url, "/unread", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    expect([status, json]).toEqual([409, { detail: "no" }])
  })
})

describe("invalid chunked bodies", () => {
  const head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  for (const [name, rest] of [
    ["an unknown transfer coding", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["a chunk without a length", "Transfer-Encoding: chunked\r\n\r\nZZ\r\n"],
    [
      "a chunk extension that is too long",
      `Transfer-Encoding: chunked\r\n\r\n2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
  ] as const)
    it(`responds with exactly one error to ${name}`, async () => {
      const got = await sendRaw(head + rest)
      expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(got).toMatch(/^HTTP\/1.1 4\d\d[\s\S]*"detail"/)
    })
})

describe("invalid data after a request", () => {
  it("adds no second response when invalid data follows a request", async () => {
    const got = await sendRaw(
      "DELETE /page HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n{}",
    )
    expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(got).toMatch(/^HTTP\/1.1 403/)
  })
})

describe("errors", () => {
  it("sends errors of pages as JSON unless the client prefers HTML", async () => {
    expect((await raw(front.url, "/nope?x=1")).json).toMatchObject({ detail: "no such path: /nope", code: "not_found" })
    expect((await raw(front.url, "/nope", { headers: { accept: "*/*" } })).json?.detail).toBeDefined()
    const page = await raw(front.url, "/nope", { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
    expect([page.status, page.text]).toEqual([404, "<html>not found</html>"])
  })
  it("adds a JSON body and an Allow header to a 405 without a body", async () => {
    const { status, json, headers } = await raw(front.url, "/no-body", { method: "DELETE" })
    expect([status, typeof json?.detail, typeof headers.allow]).toEqual([405, "string", "string"])
  })
  it("hides the cause of an internal error", async () => {
    const { status, text } = await raw(front.url, "/throws")
    expect([status, text.includes("secret")]).toEqual([500, false])
  })
  it("rejects a write to a page before the page handles it", async () => {
    reached = []
    const { status, json, headers } = await raw(front.url, "/page?x=1", { method: "POST" })
    expect([status, typeof json?.detail, headers.allow, reached]).toEqual([405, "string", "GET, HEAD, OPTIONS", []])
  })
  it("removes the header that selects a server action", async () => {
    const headers = { "next-action": "7f", "content-type": "application/json" }
    expect((await raw(front.url, "/action", { method: "POST", headers, body: "[]" })).json).toEqual({ action: null })
  })
  it("responds with 404 to the internal pages of Next.js", async () => {
    reached = []
    for (const path of ["/_global-error", "/_not-found", "/_error"])
      expect((await raw(front.url, path)).json, path).toMatchObject({ detail: `no such path: ${path}` })
    expect(reached).toEqual([])
  })
  it("rejects TRACE with 405", async () => {
    const { status, json, headers } = await raw(front.url, "/page", { method: "TRACE" })
    expect([status, typeof json?.detail]).toEqual([405, "string"])
    expect(headers.allow).toMatch(/GET/)
  })
  it("sends the security headers with every response, including errors", async () => {
    for (const path of ["/page", "/nope", "/%"]) {
      const { headers } = await raw(front.url, path)
      expect(headers["content-security-policy"]).toMatch(
        /default-src 'self'.*'nonce-[\w+/=]{20,}'.*frame-ancestors 'none'/,
      )
      expect(headers["x-content-type-options"]).toBe("nosniff")
    }
  })
  it("allows media from another origin only if one is configured", async () => {
    const mediaOrigin = "https://s3.example:9000"
    const openPages = async () => pages(async () => Response.json({}))
    const other = await startHttpServer({ config, log: silent, dev: false, mediaOrigin, openPages })
    const policy = async (url: string) => String((await raw(url, "/page")).headers["content-security-policy"])
    expect(await policy(other.url)).toContain("; media-src 'self' blob: https://s3.example:9000;")
    expect(await policy(front.url)).toContain("; media-src 'self' blob:;")
    await other.close({ deadlineMs: 0 })
  })
})

describe("token", () => {
  it("requires the token on every path except /health", async () => {
    const { config: locked, remove: clean } = tempConfig({ SERVICE_API_TOKEN: "correct horse battery" })
    const guarded = await serve(locked, async () => Response.json({}))
    const status = async (path: string, authorization?: string) =>
      (await raw(guarded.url, path, { headers: authorization ? { authorization } : {} })).status
    expect(await status("/health")).toBe(200)
    for (const path of ["/jobs", "/health/ready", "/viz", "/_next/x.js", "/%68ealth/x"])
      expect(await status(path), path).toBe(401)
    expect(await status("/jobs", "Bearer wrong horse battery!!")).toBe(401)
    expect(await status("/jobs", "Bearer correct horse battery")).toBe(200)
    await guarded.close({ deadlineMs: 0 })
    clean()
  })
  it("answers 401 before it names anything else that is wrong with a request", async () => {
    const { config: locked, remove: clean } = tempConfig({ SERVICE_API_TOKEN: "correct horse battery" })
    const guarded = await serve(locked, async () => Response.json({}))
    const requests: [number, Parameters<typeof raw>[2]][] = [
      [403, { headers: { host: "evil.example" } }],
      [403, { method: "POST", headers: { origin: "https://evil.example" } }],
      [403, { headers: { "sec-fetch-site": "cross-site" } }],
      [413, { method: "POST", headers: { "content-type": "application/json", "content-length": 33 * 2 ** 20 } }],
      [415, { method: "POST", headers: { "content-type": "text/plain" }, body: "text" }],
    ]
    for (const [expected, request] of requests) {
      expect((await raw(guarded.url, "/jobs", request)).status).toBe(401)
      const headers = { ...request?.headers, authorization: "Bearer correct horse battery" }
      expect((await raw(guarded.url, "/jobs", { ...request, headers })).status).toBe(expected)
    }
    await guarded.close({ deadlineMs: 0 })
    clean()
  })
  it("refuses to listen on a public address without a token", async () => {
    const { config: open, remove: clean } = tempConfig({ SERVICE_HOST: "0.0.0.0" })
    await expect(serve(open, answer)).rejects.toThrow(/SERVICE_API_TOKEN/)
    clean()
  })
})

describe("startup and shutdown", () => {
  it("names the port if it is already in use", async () => {
    const taken = http.createServer()
    const { port } = new URL(await listen(taken))
    const { config: busy, remove: clean } = tempConfig({ SERVICE_PORT: port })
    await expect(serve(busy, answer)).rejects.toThrow(new RegExp(`Port ${port} .*SERVICE_PORT`))
    taken.close()
    clean()
  })
  it("responds with 503 while the pages are loading", async () => {
    let ready: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      ready = resolve
    })
    let port = 0
    const starting = startHttpServer({
      config,
      log: silent,
      dev: false,
      openPages: async (address) => {
        port = address.port
        await held
        return pages(answer)
      },
    })
    while (port === 0) await new Promise((r) => setTimeout(r, 5))
    const { status, headers } = await raw(`http://127.0.0.1:${port}`, "/page")
    expect([status, headers["retry-after"]]).toEqual([503, "1"])
    ready()
    await (await starting).close({ deadlineMs: 0 })
  })
  it("waits for running requests on shutdown and closes those that pass the deadline", async () => {
    const slow = await serve(config, async (request) => {
      await new Promise((r) => setTimeout(r, request.url.endsWith("/short") ? 200 : 60_000))
      return new Response("done")
    })
    const short = raw(slow.url, "/short")
    const long = raw(slow.url, "/long").catch((e: NodeJS.ErrnoException) => e.code)
    await new Promise((r) => setTimeout(r, 50))
    const began = Date.now()
    await slow.close({ deadlineMs: 600 })
    expect(Date.now() - began).toBeLessThan(3000)
    expect((await short).text).toBe("done")
    expect(await long).toBe("ECONNRESET")
  })
})

describe("slow clients", () => {
  it("limits the time for headers but not for bodies", async () => {
    const slow = await startHttpServer({
      config,
      log: silent,
      dev: false,
      openPages: async () => pages(answer),
      headersTimeoutMs: 300,
    })
    const talk = (lines: readonly string[]) =>
      new Promise<string>((resolve) => {
        let got = ""
        const rest = [...lines]
        const socket = connect(Number(new URL(slow.url).port), "127.0.0.1")
        const timer = setInterval(() => (rest.length > 0 ? socket.write(rest.shift()!) : clearInterval(timer)), 150)
        socket.on("data", (d) => {
          got += d
        })
        socket.on("close", () => {
          clearInterval(timer)
          resolve(got)
        })
      })
    const head =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n"
    expect(await talk([head, "1", "2", "3", "4", "5", "6"])).toMatch(/^HTTP\/1.1 200[\s\S]*123456/)
    expect(await talk(["GET / HTTP/1.1\r\n", "A: 1\r\n", "B: 2\r\n", "C: 3\r\n", "D: 4\r\n"])).toMatch(
      /^HTTP\/1.1 408[\s\S]*"detail"/,
    )
    await slow.close({ deadlineMs: 0 })
  })
})

describe("WebSockets", () => {
  it("rejects WebSockets of foreign pages in development", async () => {
    const dev = await serve(config, answer, true)
    const upgrade = (origin: string) =>
      new Promise<string>((resolve) => {
        let got = ""
        const socket = connect(Number(new URL(dev.url).port), "127.0.0.1", () =>
          socket.write(
            `GET /_next/hmr HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
          ),
        )
        socket.on("data", (d) => (got += d)).on("close", () => resolve(got))
      })
    expect(await upgrade("http://localhost")).toMatch(/^HTTP\/1.1 101/)
    expect(await upgrade("https://evil.example")).toMatch(/^HTTP\/1.1 400/)
    await dev.close({ deadlineMs: 0 })
  })
})
