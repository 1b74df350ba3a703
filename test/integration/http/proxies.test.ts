import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import type http from "node:http"
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http"
import https from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv, promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { finish, newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { readGuide, runGuide } from "#test/fixtures/guide.ts"
import { PROXIED_NAME, PROXIES, type RunningProxy, startProxy } from "#test/fixtures/proxies.ts"
import { endService, runService, type Service, startService } from "#test/fixtures/service.ts"
import { silent } from "#test/fixtures/web.ts"

const MB = 2 ** 20
const WAIT = { timeout: 20_000 }
const guide = readGuide("reverse-proxy.md")
/** The settings of the guide. */
const settings = parseEnv(guide.find(({ language }) => language === "ini")!.text) as Record<string, string>
const authorization = `Bearer ${settings.SERVICE_API_TOKEN}`
const dir = mkdtempSync(join(tmpdir(), "earmark-proxies-"))
const recording = join(dir, "boat.wav")
let service: Service
let clipId: string

beforeAll(async () => {
  mkdirSync(join(dir, "uploads"))
  writeFileSync(recording, wav(MB))
  const node = await openNode(loadConfig({ SERVICE_DATA_DIR: dir }), silent)
  const { job_id, session_id } = await node.store!.jobs.submit(newJob({ source: { kind: "file", path: recording } }))
  await finish(node.store!, job_id, ...STAGE_NAMES)
  await node.close()
  clipId = session_id
  service = await startService({ ...settings, SERVICE_DATA_DIR: dir, SERVICE_MAX_UPLOAD_MB: "16" })
})
afterAll(async () => {
  await endService(service)
  rmSync(dir, { recursive: true, force: true })
})

type Answer = { readonly status: number; readonly headers: IncomingMessage["headers"]; readonly text: string }
type Sent = { readonly method?: string; readonly headers?: OutgoingHttpHeaders; readonly body?: string | Buffer }

const JSON_TYPE = { "content-type": "application/json" }

/** The size of all uploads, including what still arrives. */
const storedBytes = (): number =>
  readdirSync(join(dir, "uploads"), { recursive: true, encoding: "utf8" })
    .map((file) => statSync(join(dir, "uploads", file), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0)

const wav = (bytes: number): Buffer => Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), randomBytes(bytes - 12)])

describe.each(PROXIES)("behind %s", (name) => {
  let proxy: RunningProxy

  beforeAll(async () => {
    proxy = await startProxy(name, service.url)
  })
  afterAll(async () => await proxy?.close())

  /** Opens a request to the proxy, which knows its host by name. */
  const open = (path: string, { method = "GET", headers = {} }: Sent = {}) =>
    https.request({
      host: "127.0.0.1",
      port: proxy.httpsPort,
      servername: PROXIED_NAME,
      rejectUnauthorized: false,
      agent: false,
      path,
      method,
      headers: { host: PROXIED_NAME, ...headers },
    })
  const answerTo = (request: http.ClientRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => request.on("response", resolve).on("error", reject))
  const read = async (response: IncomingMessage): Promise<Answer> => {
    let text = ""
    for await (const chunk of response.setEncoding("utf8")) text += chunk
    return { status: response.statusCode!, headers: response.headers, text }
  }
  const send = async (path: string, sent: Sent = {}): Promise<Answer> => {
    const request = open(path, sent)
    const answer = answerTo(request)
    request.end(sent.body)
    return read(await answer)
  }
  const call = (path: string, { headers, ...rest }: Sent = {}) =>
    send(path, { headers: { authorization, ...headers }, ...rest })
  const submit = async (): Promise<{ job_id: string; session_id: string }> => {
    const body = JSON.stringify({ source: `name:${name}-${Math.random()}`, transcription: [] })
    const { status, text } = await call("/jobs/audio", { method: "POST", headers: JSON_TYPE, body })
    expect([status, text]).toEqual([202, expect.any(String)])
    return JSON.parse(text)
  }
  it("works as the guide shows", async () => {
    const folder = mkdtempSync(join(dir, "guide-"))
    const target = (from: number, to: number) => `connect-to = "${PROXIED_NAME}:${from}:127.0.0.1:${to}"`
    const curl = ["insecure", target(443, proxy.httpsPort), target(80, proxy.httpPort)]
    writeFileSync(join(folder, ".curlrc"), curl.join("\n"))
    const output = await runGuide(guide, { folder, env: { EARMARK_TOKEN: settings.SERVICE_API_TOKEN! } })
    expect(output).toMatch(/^\{"status":"ok"\}\{"detail":"This service requires a token.*"jobs":\[.*\]\}/s)
    expect(output).toContain(`https://${PROXIED_NAME}/\n`)
  })
  it("serves pages after a sign-in whose cookie is Secure", async () => {
    const html = { accept: "text/html" }
    const foreign = await send("/", { headers: html })
    expect([foreign.status, foreign.headers.location]).toEqual([303, "/login?next=%2F"])
    const form = { "content-type": "application/x-www-form-urlencoded", origin: `https://${PROXIED_NAME}` }
    const body = `next=%2F&token=${settings.SERVICE_API_TOKEN}`
    const login = await send("/login", { method: "POST", headers: form, body })
    const cookie = login.headers["set-cookie"]![0]!
    expect([login.status, login.headers.location, cookie]).toEqual([303, "/", expect.stringContaining("; Secure")])
    const page = await send("/", { headers: { ...html, cookie: cookie.split(";")[0]! } })
    expect([page.status, page.headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"])
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(page.text)![1]!
    const encoded = await call(script, { headers: { "accept-encoding": "br" } })
    expect([encoded.status, encoded.headers["content-encoding"]]).toEqual([200, "br"])
  })
  it("sends the events of a job while they happen", async () => {
    const { job_id } = await submit()
    const request = open(`/jobs/${job_id}/events`, { headers: { authorization } })
    const answer = answerTo(request)
    request.end()
    const response = await answer
    let text = ""
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    await expect.poll(() => text, WAIT).toContain("event: progress")
    expect([response.complete, text]).toEqual([false, expect.not.stringContaining("event: end")])
    expect((await call(`/jobs/${job_id}`, { method: "DELETE" })).status).toBe(200)
    await expect.poll(() => text, WAIT).toContain("event: end")
    await expect.poll(() => response.complete, WAIT).toBe(true)
  })
  it("passes uploads on and leaves their limit to the service", async () => {
    const boundary = "earmark-proxies"
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`
    const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` }
    const body = Buffer.concat([Buffer.from(head), wav(4 * MB), Buffer.from(`\r\n--${boundary}--\r\n`)])
    const { status, headers, text } = await call("/jobs/audio", { method: "POST", headers: multipart, body })
    const { job_id } = JSON.parse(text)
    expect([status, headers.location]).toEqual([202, `/jobs/${job_id}`])
    const tooLarge = open("/jobs/audio", {
      method: "POST",
      headers: { authorization, ...multipart, "content-length": 64 * MB },
    })
    tooLarge.write(Buffer.alloc(MB))
    const rejection = await read(await answerTo(tooLarge))
    tooLarge.destroy()
    expect([rejection.status, JSON.parse(rejection.text)]).toMatchObject([413, { code: "too_large" }])
  })
  it("passes the status of a rejected upload on to a client that asks before it sends the body", async () => {
    const file = join(dir, "large.wav")
    writeFileSync(file, "")
    truncateSync(file, 64 * MB)
    const target = `${PROXIED_NAME}:443:127.0.0.1:${proxy.httpsPort}`
    const headers = ["-H", `authorization: ${authorization}`, "-H", "expect: 100-continue"]
    const args = [
      "-sk",
      "--http1.1",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "--connect-to",
      target,
      ...headers,
      "-F",
      `file=@${file}`,
    ]
    for (let i = 0; i < 8; i++) {
      // curl exits with an error if the connection is closed while it sends the rest.
      const { stdout } = await promisify(execFile)("curl", [...args, `https://${PROXIED_NAME}/jobs/audio`]).catch(
        (error: { stdout: string }) => error,
      )
      expect(stdout).toBe("413")
    }
  })
  it("keeps what has arrived of a resumable upload whose connection breaks", async () => {
    const content = wav(6 * MB)
    const version = { "tus-resumable": "1.0.0" }
    const start = { ...version, "upload-length": content.byteLength }
    const created = await call("/uploads", { method: "POST", headers: start })
    const path = created.headers.location!
    expect([created.status, path]).toEqual([201, expect.stringMatching(/^\/uploads\//)])
    const offset = async () => Number((await call(path, { method: "HEAD", headers: version })).headers["upload-offset"])
    const part = { ...version, authorization, "content-type": "application/offset+octet-stream" }
    const broken = open(path, {
      method: "PATCH",
      headers: { ...part, "upload-offset": 0, "content-length": content.byteLength },
    })
    broken.on("error", () => undefined)
    const before = storedBytes()
    broken.write(content.subarray(0, 2 * MB))
    await expect.poll(() => storedBytes() - before, WAIT).toBeGreaterThan(MB)
    broken.destroy()
    await expect.poll(offset, WAIT).toBeGreaterThan(MB)
    const rest = content.subarray(await offset())
    const headers = { ...part, "upload-offset": content.byteLength - rest.byteLength }
    expect((await send(path, { method: "PATCH", headers, body: rest })).status).toBe(204)
    expect(await offset()).toBe(content.byteLength)
  })
  it("plays any part of a recording", async () => {
    const range = await call(`/clips/${clipId}/audio`, { headers: { range: "bytes=8-11" } })
    expect([range.status, range.text, range.headers["content-range"]]).toEqual([206, "WAVE", `bytes 8-11/${MB}`])
  })
  it("serves MCP clients", async () => {
    const headers = { ...JSON_TYPE, accept: "application/json, text/event-stream" }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
    const { status, text } = await call("/mcp", { method: "POST", headers, body })
    expect([status, text]).toEqual([200, expect.stringContaining("search_recordings")])
  })
})

it("refuses a path prefix when it starts", async () => {
  const { code, stderr } = await runService({ SERVICE_DATA_DIR: dir, SERVICE_BASE_PATH: "/earmark" })
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /SERVICE_BASE_PATH="\/earmark" is not supported: .* a name of its own, such as earmark.example.org/,
  )
})
