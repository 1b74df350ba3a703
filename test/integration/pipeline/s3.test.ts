import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import { audioResponse } from "#lib/http/responses/file-responses.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { linkOrigin, openClipAudio } from "#lib/services/clips/clip-audio.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { getReadiness } from "#lib/services/installation/readiness.ts"
import { startCuttingProxy } from "../../fixtures/cutting-proxy.ts"
import { type Installation, openInstallation, type WorkerProcess } from "../../fixtures/installation.ts"
import { answerBy, loadRoutes } from "../../fixtures/routes.ts"
import { openSwift } from "../../fixtures/shared-servers.ts"
import { openSpeechServer } from "../../fixtures/speech-server.ts"
import { KEY, type Swift } from "../../fixtures/swift.ts"
import { serve, silent } from "../../fixtures/web.ts"
import { make, SAMPLE } from "../speech/helpers.ts"

const ended = (job: JobRecord) => job.status === "done" || job.status === "error"
const RESPONSE = { segments: [{ start: 0, end: 2, text: "Hello there" }], words: [] as unknown[], text: "Hello there" }

/** Runs the web process in this process, and a worker process that shares its database and bucket but no folder. */
describe("a service with recordings in S3 whose hosts share no folder", () => {
  let swift: Swift
  /** Stands between the hosts and the storage, which other files use meanwhile. */
  let storage: Awaited<ReturnType<typeof startCuttingProxy>>
  let bucket: string
  let speech: Awaited<ReturnType<typeof openSpeechServer>>
  let installation: Installation
  let worker: WorkerProcess
  let server: HttpServer
  let client: ReturnType<typeof createClient>
  let base: string
  const at = (name: string) => join(base, name)
  const files = (name: string): string[] =>
    existsSync(at(name)) ? readdirSync(at(name), { recursive: true }).map(String).toSorted() : []

  beforeAll(async () => {
    Object.assign(process.env, KEY)
    base = mkdtempSync(join(tmpdir(), "earmark-hosts-"))
    ;[swift, speech] = await Promise.all([openSwift(), openSpeechServer()])
    storage = await startCuttingProxy(swift.port)
    bucket = await swift.bucket()
    RESPONSE.words = ["Hello", "there"].map((word, i) => ({ word, start: i, end: i + 0.9 }))
    speech.onTranscribe(() => ({ body: RESPONSE }))
    installation = await openInstallation(
      {
        ...KEY,
        SERVICE_PROVIDER: "builtin",
        SERVICE_DATA_DIR: at("web"),
        SERVICE_DB_PATH: at("shared.db"),
        SERVICE_BLOB_URL: swift.url(bucket, "earmark", storage.endpoint),
        SERVICE_SPEECH_ENGINE: "openai",
        SERVICE_SPEECH_URL: speech.url,
        SERVICE_LEASE_S: "2",
        SERVICE_SWEEP_S: "0.5",
      },
      base,
    )
    worker = await installation.worker(null, { SERVICE_DATA_DIR: at("worker") })
    const { node } = installation
    const viz = openVizCompute({ workerFile: at("absent.js"), log: silent })
    setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: base, stopping: new AbortController().signal })
    server = await serve(node.config, answerBy(await loadRoutes()))
    client = createClient({ baseUrl: server.url })
  })
  afterAll(async () => {
    await server.close({ deadlineMs: 0 })
    await installation.close()
    await speech.close()
    await storage.close()
    await swift.close()
    rmSync(base, { recursive: true, force: true })
  })

  const sound = readFileSync(SAMPLE)
  const send = (bytes: Buffer, name = "talk.flac") =>
    client.upload(new Blob([new Uint8Array(bytes)]), { title: name }, { filename: name })
  /** Returns a recording of a tone. */
  const makeTone = (hz: number): Buffer => {
    make("-f", "lavfi", "-i", `sine=frequency=${hz}:duration=2`, at(`${hz}.wav`))
    return readFileSync(at(`${hz}.wav`))
  }

  it("transcribes an upload, serves its audio and waveform, and keeps no copy on either host", {
    timeout: 90_000,
  }, async () => {
    const { job_id, session_id } = await send(sound)
    const job = await installation.until(job_id, ended, 60_000)
    expect(job.error).toBeUndefined()
    const clip = await client.clip(session_id)
    const key = `earmark/${createHash("sha256").update(sound).digest("hex")}.flac`
    expect([clip.file_path, clip.transcription.length]).toEqual([`s3://${bucket}/${key}`, 2])
    expect(await swift.objects(bucket)).toContain(key)

    const whole = await fetch(client.audioUrl(session_id))
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "audio/flac"])
    expect(Buffer.from(await whole.arrayBuffer()).equals(sound)).toBe(true)
    const [from, to] = [100_000, 299_999]
    const part = await fetch(client.audioUrl(session_id), { headers: { range: `bytes=${from}-${to}` } })
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/${sound.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(sound.subarray(from, to + 1))).toBe(true)
    const again = await fetch(client.audioUrl(session_id), { headers: { "if-none-match": whole.headers.get("etag")! } })
    expect(again.status).toBe(304)
    expect((await client.waveform(session_id)).duration_s).toBeGreaterThan(10)

    expect([files("web/uploads"), files("web/tmp"), files("worker/uploads"), files("worker/tmp")]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect((await getReadiness(installation.node)).checks.blobs).toEqual({
      state: "ok",
      picked: "s3",
      detail: expect.stringContaining(`s3://${bucket}/earmark/ at 127.0.0.1`),
    })

    const config = { ...installation.node.config, blobs: { ...installation.node.config.blobs, redirect: true } }
    expect(await linkOrigin({ blobs: installation.node.blobs, config })).toBe(storage.endpoint)
    expect(await linkOrigin(installation.node)).toBeNull()
    const redirected = await audioResponse(
      new Request(server.url),
      await openClipAudio({ ...installation.node, config }, { id: session_id }),
    )
    expect([redirected.status, redirected.headers.get("cache-control")]).toEqual([307, "no-store"])
    const direct = await fetch(redirected.headers.get("location")!, { headers: { range: "bytes=0-3" } })
    expect([direct.status, direct.headers.get("content-type"), await direct.text()]).toEqual([
      206,
      "audio/flac",
      "fLaC",
    ])

    await client.deleteClip(session_id)
    expect(await swift.objects(bucket)).not.toContain(key)
  })

  it("keeps the parts of a resumable upload in the bucket, and joins them there", { timeout: 90_000 }, async () => {
    const version = { "tus-resumable": "1.0.0" }
    const created = await fetch(`${server.url}/uploads`, {
      method: "POST",
      headers: { ...version, "upload-length": String(sound.length), "upload-metadata": "filename dGFsay5mbGFj" },
    })
    const path = created.headers.get("location")!
    const url = `${server.url}${path}`
    const type = { ...version, "content-type": "application/offset+octet-stream" }
    const offset = async () =>
      Number((await fetch(url, { method: "HEAD", headers: version })).headers.get("upload-offset"))
    const half = sound.subarray(0, sound.length >> 1)
    const headers = { ...type, "upload-offset": 0, "content-length": sound.length }
    const broken = http.request(url, { method: "PATCH", headers }).on("error", () => undefined)
    broken.write(half, () => broken.destroy())
    const parts = async () => (await swift.objects(bucket)).filter((key) => key.startsWith("earmark/partial/"))
    // Asking for the offset before would end the request.
    await expect.poll(parts, { timeout: 20_000 }).toHaveLength(1)
    const start = await offset()
    expect(start).toBe(half.length)

    const rest = new Uint8Array(sound.subarray(start))
    const sent = await fetch(url, { method: "PATCH", headers: { ...type, "upload-offset": String(start) }, body: rest })
    expect(sent.status).toBe(204)
    const key = `earmark/${createHash("sha256").update(sound).digest("hex")}.flac`
    expect([await parts(), await swift.objects(bucket)]).toEqual([[], expect.arrayContaining([key])])
    const { job_id, session_id } = await client.submit({ source: `upload:${path.split("/").at(-1)}` })
    expect((await installation.until(job_id, ended, 60_000)).status).toBe("done")
    expect((await client.clip(session_id)).file_path).toBe(`s3://${bucket}/${key}`)
    expect([files("web/uploads"), files("web/tmp")]).toEqual([[], []])
    await client.deleteClip(session_id)
  })

  it("stores documents in the bucket too", async () => {
    const form = new FormData()
    form.set("file", new Blob(["# Tides\n\nThe tide at Saint-Malo rises by thirteen metres."]), "Grüße & Gezeiten.md")
    const sent = await fetch(`${server.url}/documents`, { method: "POST", body: form })
    expect(sent.status).toBe(201)
    const [entry] = (await client.documents()).documents
    expect(entry).toMatchObject({ name: "Grüße & Gezeiten.md", state: "kept", uploaded: true })
    expect(entry!.source.startsWith(`s3://${bucket}/earmark/documents/`)).toBe(true)
    await client.removeDocument(entry!.id)
    expect((await swift.objects(bucket)).filter((key) => key.includes("documents/"))).toEqual([])
  })

  it("waits for unavailable storage, reports it, and loses no job", { timeout: 90_000 }, async () => {
    worker.kill("SIGKILL")
    await worker.exited
    const sent = [await send(makeTone(300), "a.wav"), await send(makeTone(400), "b.wav")]
    await storage.close()
    worker = await installation.worker(null, { SERVICE_DATA_DIR: at("worker") })
    const isDeferred = (id: string) => worker.lines.some((l) => l.msg === "stage did not finish" && l.job_id === id)
    while (!sent.every(({ job_id }) => isDeferred(job_id))) await sleep(50)
    const rejected = await send(makeTone(500)).catch((error: { status: number; detail: string }) => error)
    expect(rejected).toMatchObject({ status: 503, detail: expect.stringMatching(/does not answer .*Start it/) })
    const { status, checks } = await getReadiness(installation.node)
    expect([status, checks.blobs.state]).toEqual(["degraded", "down"])
    await storage.reopen()
    for (const { job_id } of sent) {
      const job = await installation.until(job_id, ended, 60_000)
      expect([job.status, job.error]).toEqual(["done", undefined])
    }
    expect(files("worker/tmp")).toEqual([])
  })

  it("leaves no temporary file of a recording whose worker was killed", { timeout: 90_000 }, async () => {
    speech.onTranscribe(() => "hang")
    const { job_id } = await send(makeTone(600), "c.wav")
    const requests = speech.sent.length
    while (speech.sent.length === requests) await sleep(50)
    expect(files("worker/tmp")).toHaveLength(1)
    worker.kill("SIGKILL")
    await worker.exited
    expect(files("worker/tmp")).toHaveLength(1)
    speech.onTranscribe(() => ({ body: RESPONSE }))
    worker = await installation.worker(null, { SERVICE_DATA_DIR: at("worker") })
    expect(files("worker/tmp").filter((name) => name.includes(`-${worker.pid}-`))).toEqual(files("worker/tmp"))
    expect((await installation.until(job_id, ended, 60_000)).status).toBe("done")
    expect(files("worker/tmp")).toEqual([])
  })
})

describe("a bucket without the S3 packages", () => {
  it("stops the start with the install command", async () => {
    const config = loadConfig({
      SERVICE_BLOB_URL: "s3://talks",
      SERVICE_DATA_DIR: "/nonexistent",
      SERVICE_DISABLE_EXTRAS: "s3",
    })
    await expect(openNode(config, silent)).rejects.toThrow(/group 's3'.*npm install @aws-sdk\/client-s3@/)
  })
})
