import { createHash, randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import http from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { removeUnusedParts } from "#lib/services/uploads/resumable/parts.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The real routes behind the real HTTP server, with a real database and folder. */
const { config, remove } = tempConfig({ SERVICE_MAX_UPLOAD_MB: "64" })
const uploads = join(config.data.dir, "uploads")
let node: Node
let server: HttpServer
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  node = await openNode(config, silent)
  const never = () => Promise.reject()
  const viz = { compose: never, refit: never, embedTerms: never, close: async () => undefined }
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: "/", stopping: new AbortController().signal })
  server = await serve(config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url })
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  remove()
})

const recordingOf = (bytes: number) => {
  const content = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), randomBytes(bytes - 12)])
  return { content, sha256: createHash("sha256").update(content).digest("hex") }
}
const base64 = (text: string) => Buffer.from(text).toString("base64")
type Headers = Record<string, string>
const VERSION = { "tus-resumable": "1.0.0" }
const PART = { ...VERSION, "content-type": "application/offset+octet-stream" }

const send = (method: string, path: string, headers: Headers = {}, body?: Uint8Array<ArrayBuffer>) =>
  fetch(`${server.url}${path}`, { method, headers, ...(body && { body }) })
const create = async (size: number, headers: Headers = {}, body?: Uint8Array<ArrayBuffer>) => {
  const metadata = { "upload-length": String(size), "upload-metadata": `filename ${base64("Talk.wav")}` }
  return send("POST", "/uploads", { ...VERSION, ...metadata, ...headers }, body)
}
const createAt = async (size: number) => (await create(size)).headers.get("location")!
const append = (path: string, offset: number, body: Uint8Array<ArrayBuffer>, headers: Headers = {}) =>
  send("PATCH", path, { ...PART, "upload-offset": String(offset), ...headers }, body)
const offsetOf = async (path: string) => Number((await send("HEAD", path, VERSION)).headers.get("upload-offset"))
const storedFiles = () =>
  readdirSync(uploads, { recursive: true, withFileTypes: true }).flatMap((file) => (file.isFile() ? [file.name] : []))
const idOf = (path: string) => path.split("/").at(-1)!

/** Sends a part and breaks the connection once `bytes` of it are on their way. */
const sendAndBreak = (path: string, offset: number, content: Buffer, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    const headers = { ...PART, "upload-offset": offset, "content-length": content.byteLength - offset }
    const request = http.request(`${server.url}${path}`, { method: "PATCH", headers })
    request.on("error", () => resolve())
    request.write(content.subarray(offset, offset + bytes), () => setTimeout(() => request.destroy(), 50))
  })

describe("a resumable upload", () => {
  it("continues where the line broke, five times, and becomes the recording of a job", async () => {
    const { content, sha256 } = recordingOf(30_000_000)
    const path = await createAt(content.byteLength)
    for (let cut = 1; cut <= 5; cut++) {
      const before = await offsetOf(path)
      await sendAndBreak(path, before, content, 2_000_000)
      await expect.poll(() => offsetOf(path)).toBeGreaterThan(before)
    }
    const offset = await offsetOf(path)
    expect(offset).toBeLessThan(content.byteLength)
    const last = await append(path, offset, content.subarray(offset))
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, String(content.byteLength)])
    expect(storedFiles()).toEqual([`${sha256}.wav`])
    expect(readFileSync(join(uploads, `${sha256}.wav`)).equals(content)).toBe(true)

    const source = `upload:${idOf(path)}`
    const keys = Array.from({ length: 10 }, () => client.submit({ source }, { idempotencyKey: path }))
    const jobs = await Promise.all(keys)
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(1)
    expect(await client.job(jobs[0]!.job_id)).toMatchObject({ title: "Talk.wav", file_name: "Talk.wav" })
    const form = await client.upload(new Blob([content]), {}, { filename: "other.wav" })
    expect(form.session_id).toBe(jobs[0]!.session_id)
    expect(storedFiles()).toEqual([`${sha256}.wav`])
  })
  it("may begin with the request that creates it", async () => {
    const { content, sha256 } = recordingOf(100_000)
    const created = await create(content.byteLength, PART, content.subarray(0, 60_000))
    expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "60000"])
    expect(Date.parse(created.headers.get("upload-expires")!)).toBeGreaterThan(Date.now())
    const path = created.headers.get("location")!
    expect((await append(path, 60_000, content.subarray(60_000))).status).toBe(204)
    expect(storedFiles()).toContain(`${sha256}.wav`)
    const state = await send("HEAD", path, VERSION)
    expect(Object.fromEntries(state.headers)).toMatchObject({
      "tus-resumable": "1.0.0",
      "upload-offset": "100000",
      "upload-length": "100000",
      "upload-metadata": `filename ${base64("Talk.wav")}`,
      "cache-control": "no-store",
    })
  })
  it("is created once by two requests with one key", async () => {
    const [first, second] = [await create(10, { "idempotency-key": "u" }), await create(10, { "idempotency-key": "u" })]
    expect(second.headers.get("location")).toBe(first.headers.get("location"))
    expect((await create(11, { "idempotency-key": "u" })).status).toBe(422)
  })
  it("rejects a part at another offset, beyond the size or with another checksum, and keeps the rest", async () => {
    const { content } = recordingOf(10_000)
    const path = await createAt(content.byteLength)
    await append(path, 0, content.subarray(0, 5000))
    expect(await (await append(path, 4000, content.subarray(4000))).json()).toMatchObject({
      detail: expect.stringContaining("continues at byte 5000, not 4000"),
      code: "conflict",
    })
    expect((await append(path, 5000, content)).status).toBe(413)
    const rest = content.subarray(5000)
    for (const algorithm of ["sha1", "sha256", "md5"]) {
      const wrong = createHash(algorithm).update("other").digest("base64")
      expect((await append(path, 5000, rest, { "upload-checksum": `${algorithm} ${wrong}` })).status).toBe(460)
      expect(await offsetOf(path)).toBe(5000)
    }
    const digest = createHash("sha1").update(rest).digest("base64")
    expect((await append(path, 5000, rest, { "upload-checksum": `sha1 ${digest}` })).status).toBe(204)
  })
  it("stores nothing of a part with a checksum whose line breaks", async () => {
    const { content } = recordingOf(100_000)
    const path = await createAt(content.byteLength)
    const checksum = `sha1 ${createHash("sha1").update(content).digest("base64")}`
    const broken = http.request(`${server.url}${path}`, {
      method: "PATCH",
      headers: { ...PART, "upload-offset": 0, "upload-checksum": checksum, "content-length": content.byteLength },
    })
    broken.on("error", () => undefined)
    broken.write(content.subarray(0, 50_000), () => broken.destroy())
    await new Promise((resolve) => broken.once("close", resolve))
    expect(await offsetOf(path)).toBe(0)
    expect((await append(path, 0, content, { "upload-checksum": checksum })).status).toBe(204)
  })
  it.each([5000, 100])("is rejected and removed if its first bytes are no recording (%i bytes)", async (size) => {
    const path = await createAt(size)
    expect((await append(path, 0, new Uint8Array(size))).status).toBe(415)
    expect((await send("HEAD", path, VERSION)).status).toBe(404)
  })
  it("is checked when it is complete if its first part is too short to tell", async () => {
    const path = await createAt(5000)
    expect((await append(path, 0, new Uint8Array(100))).status).toBe(204)
    expect((await append(path, 100, new Uint8Array(4900))).status).toBe(415)
    expect((await send("HEAD", path, VERSION)).status).toBe(404)
  })
  it("can be deleted, and its parts with it", async () => {
    const before = storedFiles()
    const path = await createAt(10_000)
    await append(path, 0, recordingOf(5000).content)
    expect(storedFiles()).toHaveLength(before.length + 1)
    expect((await send("DELETE", path, VERSION)).status).toBe(204)
    expect((await send("DELETE", path, VERSION)).status).toBe(404)
    expect(storedFiles()).toEqual(before)
  })
  it("expires, and its parts are collected", async () => {
    const path = await createAt(10_000)
    await append(path, 0, recordingOf(5000).content)
    const store = { resumableUploads: { ...node.store!.resumableUploads, get: async () => null } }
    expect(await removeUnusedParts({ ...node, store: node.store! }, Date.now() + 7_200_000)).toBe(0)
    expect(await removeUnusedParts({ ...node, store })).toBe(0)
    expect(await removeUnusedParts({ ...node, store }, Date.now() + 7_200_000)).toBe(1)
  })
  it("is the source of a job only when it is complete", async () => {
    const source = `upload:${idOf(await createAt(10))}`
    expect(await errorOf(client.submit({ source }))).toEqual([409, expect.stringContaining("has 0 of 10 bytes")])
    const unknown = "upload:01a2078d-2b9f-705f-b9c1-64b7eba13169"
    expect((await errorOf(client.submit({ source: unknown })))[0]).toBe(404)
  })
})

describe("a request for a resumable upload", () => {
  const SIZE = { "upload-length": "10" }
  it.each<[string, Headers, number]>([
    ["another version of the protocol", { "tus-resumable": "0.2.2", ...SIZE }, 412],
    ["no version", SIZE, 412],
    ["no length", VERSION, 422],
    ["a length that is no number", { ...VERSION, "upload-length": "1e3" }, 422],
    ["a length of zero", { ...VERSION, "upload-length": "0" }, 422],
    ["a length above the limit", { ...VERSION, "upload-length": String(65 * 2 ** 20) }, 413],
    ["a length to be named later", { ...VERSION, "upload-defer-length": "1" }, 422],
    ["metadata that is not Base64", { ...VERSION, ...SIZE, "upload-metadata": "filename ä" }, 422],
  ])("is rejected for %s", async (_what, headers, status) => {
    const response = await send("POST", "/uploads", headers)
    expect([response.status, response.headers.get("tus-resumable")]).toEqual([status, "1.0.0"])
    expect(await response.json()).toMatchObject({ detail: expect.any(String), code: expect.any(String) })
  })
  it.each<[string, Headers, number]>([
    ["no offset", PART, 422],
    ["a checksum of another kind", { ...PART, "upload-offset": "0", "upload-checksum": "crc32 AAAA" }, 422],
    ["a digest of the wrong length", { ...PART, "upload-offset": "0", "upload-checksum": "sha1 AAAA" }, 422],
    ["another media type", { ...PART, "upload-offset": "0", "content-type": "text/plain" }, 415],
  ])("to append is rejected for %s", async (_what, headers, status) => {
    const path = await createAt(10)
    expect((await send("PATCH", path, headers, Buffer.alloc(5))).status).toBe(status)
  })
  it("answers what the service supports", async () => {
    const { status, headers } = await send("OPTIONS", "/uploads")
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      204,
      {
        "tus-version": "1.0.0",
        "tus-extension": "creation,creation-with-upload,termination,checksum,expiration",
        "tus-checksum-algorithm": "sha1,sha256,md5",
        "tus-max-size": String(64 * 2 ** 20),
      },
    ])
  })
})
