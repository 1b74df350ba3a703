import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { endService, runService, type Service, startService } from "#test/fixtures/service.ts"
import { listen, raw } from "#test/fixtures/web.ts"

const HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
const dir = mkdtempSync(join(tmpdir(), "earmark-service-"))
const env = { SERVICE_DATA_DIR: dir, SERVICE_INGEST_ROOTS: dir }
let service: Service

beforeAll(async () => {
  service = await startService(env)
})
afterAll(async () => {
  await endService(service)
  rmSync(dir, { recursive: true, force: true })
})

describe("HTML pages", () => {
  for (const path of ["/", "/viz", "/nope"])
    it(`allows only its own scripts on ${path}`, async () => {
      const { text, headers } = await raw(service.url, path, { headers: { accept: HTML } })
      const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1]
      const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map((m) => m[1]!)
      expect(scripts.length).toBeGreaterThan(0)
      for (const attributes of scripts) expect(attributes).toContain(`nonce="${nonce}"`)
    })
  it("name the version of the HTTP API, as /openapi.json does", async () => {
    const { text } = await raw(service.url, "/", { headers: { accept: HTML } })
    expect(text).toContain('<meta name="generator" content="Earmark 0.2.0"/>')
    const { info } = JSON.parse((await raw(service.url, "/openapi.json")).text) as { info: { version: string } }
    expect(info.version).toBe("0.2.0")
  })
  it("answers an unknown address with a page to browsers and with JSON to programs", async () => {
    const page = await raw(service.url, "/nope", { headers: { accept: HTML } })
    expect([page.status, page.headers["content-type"]]).toEqual([404, expect.stringContaining("text/html")])
    const program = await raw(service.url, "/nope", { headers: { accept: "application/json" } })
    expect([program.status, program.json]).toMatchObject([404, { detail: "no such path: /nope", code: "not_found" }])
  })
  for (const [method, path] of [
    ["POST", "/viz"],
    ["DELETE", "/"],
    ["PUT", "/health"],
    ["PATCH", "/jobs"],
    ["POST", "/viz/data"],
  ] as const)
    it(`answers ${method} ${path} with 405, an Allow header and a message`, async () => {
      const { status, json, headers } = await raw(service.url, path, { method })
      expect([status, typeof json?.detail, headers.allow]).toEqual([405, "string", expect.stringContaining("GET")])
    })
  it("answers HEAD and OPTIONS", async () => {
    expect(await raw(service.url, "/health", { method: "HEAD" })).toMatchObject({ status: 200, text: "" })
    expect(await raw(service.url, "/health", { method: "OPTIONS" })).toMatchObject({ status: 204, text: "" })
  })
})

describe("malformed requests", () => {
  for (const path of [
    "/jobs?limit=1&limit=2",
    "/jobs?limit=0x",
    "/viz/search?q=%E0%A4%A&top_k=0",
    "/jobs/%2e%2e%2fx",
    "/viz/data?distance_threshold=NaN",
    "/jobs/a/b/c",
    "/_next/image?url=http://evil.example/x&w=64&q=1",
    "/_next/../package.json",
    "/.env",
    "/_next/static/../../package.json",
  ])
    it(`answers 4xx with a message to ${path}`, async () => {
      const { status, json, text } = await raw(service.url, path)
      expect(status, text.slice(0, 200)).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(typeof json?.detail).toBe("string")
    })
  it("leave the service healthy", async () =>
    expect(await createClient({ baseUrl: service.url }).health()).toEqual({ status: "ok" }))
})

const startUpload = (url: string): http.ClientRequest => {
  const { hostname, port } = new URL(url)
  const request = http.request({
    hostname,
    port,
    path: "/jobs/audio",
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
  })
  request.on("error", () => undefined)
  request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\0\0\0\0WAVE')
  request.write(Buffer.alloc(500_000))
  return request
}
/** Lists the files of uploads that are in progress. */
const listIncoming = () => {
  try {
    return readdirSync(join(dir, "uploads")).filter((f) => f.startsWith(".incoming"))
  } catch {
    return []
  }
}

describe("shutdown", () => {
  it("SIGTERM ends the service promptly with code 0 although a stream is open", async () => {
    const own = await startService(env)
    const client = createClient({ baseUrl: own.url })
    const { job_id } = await client.submit({ source: join(dir, "a.wav"), transcription: [] })
    const stream = fetch(`${own.url}/jobs/${job_id}/events`).then((r) => r.text())
    await new Promise((r) => setTimeout(r, 300))
    const startedAt = Date.now()
    expect(await endService(own)).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(5000)
    expect(await stream).toMatch(/^event: progress\n/)
  })
  it("SIGKILL during an upload leaves no job, and the next start removes the partial file", async () => {
    const own = await startService(env)
    const client = createClient({ baseUrl: own.url })
    const before = (await client.jobs()).jobs.length
    startUpload(own.url)
    while (listIncoming().length === 0) await new Promise((r) => setTimeout(r, 20))
    await endService(own, "SIGKILL")
    expect(listIncoming()).toHaveLength(1)
    const next = await startService(env)
    expect(listIncoming()).toEqual([])
    expect((await createClient({ baseUrl: next.url }).jobs()).jobs).toHaveLength(before)
    await endService(next)
  })
  it("the service exits when its supervisor is gone", async () => {
    const own = await startService(env)
    const ended = new Promise((resolve) => own.process.once("exit", resolve))
    own.process.disconnect()
    expect(await ended).toBe(0)
  })
})

describe("a service that cannot start", () => {
  const expectOneLine = (stderr: string) => expect(stderr.trim().split("\n")).toHaveLength(1)
  it("names the invalid setting and exits with code 2", async () => {
    const { code, stderr } = await runService({ ...env, SERVICE_PORT: "abc" })
    expect([code, stderr]).toEqual([2, expect.stringContaining("SERVICE_PORT")])
    expectOneLine(stderr)
  })
  it("requires a token before it listens on the network, and exits with code 2", async () => {
    const { code, stderr } = await runService({ ...env, SERVICE_HOST: "0.0.0.0" })
    expect([code, stderr]).toEqual([2, expect.stringContaining("SERVICE_API_TOKEN")])
    expectOneLine(stderr)
  })
  it("names the port that is in use and exits with code 1", async () => {
    const taken = http.createServer()
    const { port } = new URL(await listen(taken))
    const { code, stderr } = await runService({ ...env, SERVICE_PORT: port })
    taken.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port}`)])
    expectOneLine(stderr)
  })
})

describe("a service without a capability group", () => {
  it("rag: answers jobs with 503 and the install command, and has no map", async () => {
    const own = await startService({ ...env, SERVICE_DISABLE_EXTRAS: "rag" })
    for (const path of ["/jobs", "/jobs/x", "/jobs/x/result", "/clips/x"])
      expect(await raw(own.url, path), path).toMatchObject({
        status: 503,
        json: { detail: expect.stringMatching(/npm install \S+/) },
      })
    for (const path of ["/viz", "/viz/data", "/viz/search?q=a", "/viz-assets/manifest.json"])
      expect((await raw(own.url, path)).status, path).toBe(404)
    const ready = await raw(own.url, "/health/ready")
    expect([ready.status, ready.json]).toMatchObject([
      200,
      { checks: { store: { state: "absent" }, broker: { state: "absent" }, worker: { state: "absent" } } },
    ])
    await endService(own)
  })
  it("broker: lists jobs but accepts none", async () => {
    const own = await startService({ ...env, SERVICE_DISABLE_EXTRAS: "broker" })
    expect((await raw(own.url, "/jobs")).status).toBe(200)
    const sent = await raw(own.url, "/jobs/audio", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    })
    expect(sent).toMatchObject({ status: 503, json: { detail: expect.stringMatching(/npm install \S+/) } })
    expect((await raw(own.url, "/jobs/x/retry", { method: "POST" })).status).toBe(503)
    await endService(own)
  })
})
