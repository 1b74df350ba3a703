import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { loadConfig } from "../platform/config/config.ts"
import type { Resolved } from "./guarded-address.ts"
import { type FetchRules, guardedFetch } from "./guarded-fetch.ts"

/** `origin` stands for the public network (127.0.0.2 is allowed); `canary` is what must never be reached (127.0.0.1). */
let hits = 0
let seen: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
const canary = createServer((_request, response) => {
  hits++
  response.end("secret")
})
const origin = createServer((request, response) => {
  seen.push(`${request.headers.host}${request.url}`)
  answer(request, response)
})
let port = 0
let inside = 0

beforeAll(async () => {
  await new Promise<void>((r) => canary.listen(0, "127.0.0.1", r))
  inside = (canary.address() as AddressInfo).port
  await new Promise<void>((r) => origin.listen(0, "127.0.0.2", r))
  port = (origin.address() as AddressInfo).port
})
afterAll(() => {
  for (const server of [canary, origin]) {
    server.closeAllConnections()
    server.close()
  }
  expect(hits).toBe(0)
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => void response.end("sound")
})

const names: Record<string, readonly string[]> = {
  "public.test": ["127.0.0.2"],
  "private.test": ["127.0.0.1"],
  "mixed.test": ["127.0.0.2", "10.0.0.1"],
  "empty.test": [],
}
const resolve = async (name: string): Promise<Resolved[]> => {
  const found = names[name]
  if (!found) throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" })
  return found.map((address) => ({ address, family: 4 }))
}
const rules = (over: Partial<FetchRules> = {}): FetchRules => ({
  ports: [80, 443, port, inside],
  allowed: ["127.0.0.2"],
  maxBytes: 1000,
  deadlineMs: 5000,
  idleTimeoutMs: 300,
  resolve,
  ...over,
})
const read = async (address: string, over: Partial<FetchRules> = {}, signal = new AbortController().signal) => {
  const { body, url } = await guardedFetch(address, rules(over), signal)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { url, text: Buffer.concat(chunks).toString() }
}
const refusal = async (address: string, over: Partial<FetchRules> = {}): Promise<string> => {
  const error = await read(address, over).catch((e: unknown) => e)
  if (!AppError.is(error)) throw new Error(`${address} was not refused: ${String(error)}`)
  return error.code
}
const home = (path = "/a.mp3") => `http://public.test:${port}${path}`
const canaryAt = (host: string) => `http://${host}:${inside}/`

it("fetches from a public host and connects to the checked address", async () => {
  expect(await read(home("/a.mp3?x=1"))).toEqual({ url: home("/a.mp3?x=1"), text: "sound" })
  expect(seen).toEqual([`public.test:${port}/a.mp3?x=1`])
})

describe("private and local addresses", () => {
  for (const host of [
    "127.0.0.1",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "[::1]",
    "0.0.0.0",
    "0",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "169.254.169.254",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fd00::1]",
    "[ff02::1]",
    "[::]",
    "[2001:db8::1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "192.0.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "ⓛocalhost",
    "１２７．０．０．１",
    "private.test",
    "mixed.test",
    "empty.test",
    "example.com@127.0.0.1",
  ])
    it(`rejects ${host}`, async () =>
      expect(await refusal(canaryAt(host))).toMatch(host.includes("@") ? "invalid" : "forbidden"))
  it("checks the host as the WHATWG URL parser reads it", async () => {
    expect(await refusal(`http://127.0.0.1:${inside}\\@public.test/`)).toBe("forbidden")
    expect((await read(`http://public.test:${port}#@127.0.0.1/`)).text).toBe("sound")
  })
  it("accepts public IPv4 and IPv6 literals", async () => {
    for (const host of ["93.184.216.34", "[2606:2800:220:1::1]"])
      expect(await refusal(`http://${host}:1/`, { ports: [2] })).toBe("invalid")
  })
})

it("resolves a name once, so that DNS rebinding has no effect", async () => {
  let asked = 0
  const rebinding = async (): Promise<Resolved[]> => [{ address: asked++ ? "127.0.0.1" : "127.0.0.2", family: 4 }]
  expect((await read(home(), { resolve: rebinding })).text).toBe("sound")
  expect(asked).toBe(1)
})

describe("redirects", () => {
  const leadTo = (to: (n: number) => string) => {
    let n = 0
    answer = (request, response) => {
      const location = request.url === "/end" ? undefined : to(n++)
      if (location === undefined) response.end("end")
      else response.writeHead(302, { location }).end("moved")
    }
  }
  for (const [to, code] of [
    [() => canaryAt("127.0.0.1"), "forbidden"],
    [() => canaryAt("private.test"), "forbidden"],
    [() => "//127.0.0.1/x", "forbidden"],
    [() => "file:///etc/passwd", "invalid"],
    [() => "gopher://x/", "invalid"],
    [() => "http://a:b@public.test/", "invalid"],
    [() => "http://public.test:22/", "invalid"],
    [() => "http://[", "invalid"],
    [(n: number) => `/${n}`, "invalid"],
  ] as const)
    it(`rejects a redirect to ${to(0).replace(/:\d+/, "")}`, async () => {
      leadTo(to)
      expect(await refusal(home())).toBe(code)
      expect(seen.length).toBeLessThanOrEqual(6)
    })
  it("follows up to five redirects to public hosts", async () => {
    leadTo((n) => (n === 4 ? "/end" : `/${n}`))
    expect(await read(home())).toEqual({ url: home("/end"), text: "end" })
  })
})

describe("unsupported URLs", () => {
  for (const address of [
    "file:///etc/passwd",
    "ftp://public.test/",
    "gopher://public.test/",
    "data:audio/wav;base64,AA",
    "javascript:alert(1)",
    "blob:http://public.test/x",
    "http://user:pass@public.test/",
    "http://user@public.test/",
    "http://public.test:22/",
    "http://public.test:25/",
    "http://public.test:6379/",
    `http://public.test/${"x".repeat(100_000)}`,
    "not an address",
    "http://",
  ])
    it(`rejects ${address.slice(0, 60)}`, async () => expect(await refusal(address)).toBe("invalid"))
})

describe("misbehaving servers", () => {
  it("rejects a response that declares too many bytes", async () => {
    answer = (_request, response) => response.writeHead(200, { "content-length": 5000 }).write("x")
    expect(await refusal(home())).toBe("too_large")
  })
  it("stops reading an endless response at the size limit", async () => {
    answer = (_request, response) => {
      const more = () => {
        while (response.write("x".repeat(500)));
      }
      response.on("drain", more).on("error", () => undefined)
      more()
    }
    expect(await refusal(home())).toBe("too_large")
  })
  it("reads no more than the declared length", async () => {
    answer = (_request, response) => {
      response.socket!.write(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nsound${"x".repeat(5000)}`)
    }
    expect((await read(home())).text).toBe("sound")
  })
  it("rejects a compressed response without decompressing it", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb.subarray(0, 900))
    }
    expect(await refusal(home())).toBe("unsupported_media")
  })
  it("stops reading a slow response at the deadline", async () => {
    answer = (_request, response) => {
      const timer = setInterval(() => response.write("x"), 50)
      response.on("close", () => clearInterval(timer))
    }
    const began = Date.now()
    expect(await refusal(home(), { deadlineMs: 600 })).toBe("unavailable")
    expect(Date.now() - began).toBeLessThan(1500)
  })
  it("fails after the idle timeout before and during the response", async () => {
    answer = () => undefined
    expect(await refusal(home())).toBe("unavailable")
    answer = (_request, response) => void response.write("x")
    expect(await refusal(home())).toBe("unavailable")
  })
  it.each([
    [429, "120", 120_000],
    [503, "0", 1000],
    [503, new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
  ] as const)("defers HTTP %i with Retry-After %s without using an attempt", async (status, after, ms) => {
    answer = (_request, response) => void response.writeHead(status, { "retry-after": after }).end()
    const failure = (await read(home()).catch((error: unknown) => error)) as AppError
    expect(failure).toMatchObject({
      code: "unavailable",
      retry: "later",
      message: expect.stringMatching(/asks to retry later/),
    })
    expect(Math.abs(failure.retryInMs! - ms)).toBeLessThan(60_000)
  })
  it("retries temporary failures only", async () => {
    answer = (request) => request.socket.destroy()
    await expect(read(home())).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    for (const [status, code, retry] of [
      [404, "not_found", "never"],
      [403, "unavailable", "never"],
      [304, "unavailable", "never"],
      [206, "unavailable", "never"],
      [503, "unavailable", "retry"],
    ] as const) {
      answer = (_request, response) => void response.writeHead(status).end()
      await expect(read(home())).rejects.toMatchObject({ code, retry })
    }
    await expect(read("http://nowhere.test/")).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
  })
  it("stops waiting for the resolver at the deadline", async () => {
    const never = () => new Promise<Resolved[]>(() => undefined)
    expect(await refusal(home(), { resolve: never, deadlineMs: 100 })).toBe("unavailable")
  })
  it("stops immediately with the caller's reason if the caller aborts", async () => {
    answer = (_request, response) => void response.write("x")
    const gone = new AbortController()
    setTimeout(() => gone.abort(new Error("gone")), 50)
    await expect(read(home(), { idleTimeoutMs: 5000 }, gone.signal)).rejects.toThrow("gone")
  })
})

it("reads its limits from the settings", () => {
  expect(loadConfig({ SERVICE_FETCH_ALLOW: "10.0.0.0/8, ::1", SERVICE_FETCH_PORTS: "80,8080" }).fetch).toMatchObject({
    allowed: ["10.0.0.0/8", "::1"],
    ports: [80, 8080],
    deadlineMs: 1_800_000,
  })
  for (const wrong of [
    { SERVICE_FETCH_ALLOW: "evil" },
    { SERVICE_FETCH_PORTS: "x" },
    { SERVICE_FETCH_ALLOW: "1.2.3.4/99" },
  ])
    expect(() => loadConfig(wrong)).toThrow("SERVICE_FETCH_")
})
