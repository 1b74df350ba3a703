import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { newId } from "#lib/domain/ids.ts"
import type { AudioJobInput, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The real routes behind the real HTTP server with a real database. No worker runs, so jobs do not change. */
const { config, dir, remove } = tempConfig()
const stopping = new AbortController()
let node: Node
let server: HttpServer
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  mkdirSync(join(dir, "lib/map/assets"), { recursive: true })
  writeFileSync(join(dir, "lib/map/assets/stars-0123abcd.json"), "{}")
  writeFileSync(join(dir, "lib/map/assets/plain.svg"), "<svg/>")
  writeFileSync(join(dir, "secret.json"), "{}")
  node = await openNode(config, silent)
  const viz = openVizCompute({ workerFile: join(dir, "absent.js"), log: silent })
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: dir, stopping: stopping.signal })
  server = await serve(config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url })
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  remove()
})

const words = [{ word: "hello", start: 0, end: 1, speaker: "0" }]
const submit = (over: Partial<AudioJobInput> = {}) =>
  client.submit({ source: join(dir, `${newId()}.wav`), transcription: words, ...over })

describe("a job over HTTP", () => {
  it("is accepted, listed newest first, and returned by ID", async () => {
    const first = await submit({ title: "First" })
    const second = await submit()
    const job = await client.job(first.job_id)
    expect(job).toMatchObject({ job_id: first.job_id, status: "queued", title: "First", attempts: 1 })
    expect(Object.keys(job.stages)).toEqual([...STAGE_NAMES])
    const page = await client.jobs({ limit: 1 })
    expect(page.jobs.map((j) => j.job_id)).toEqual([second.job_id])
    const next = await client.jobs({ limit: 1, cursor: page.next_cursor! })
    expect(next.jobs[0]?.job_id).toBe(first.job_id)
    expect((await client.jobs({ status: "done" })).jobs).toEqual([])
  })
  it("is named after its file, its address or its title", async () => {
    const titleOf = async (over: Partial<AudioJobInput>) => (await client.job((await submit(over)).job_id)).title
    expect(await titleOf({ source: join(dir, "talk.mp3") })).toBe("talk.mp3")
    expect(await titleOf({ source: "https://example.com/a.mp3" })).toBe("a.mp3")
    expect(await titleOf({ title: "  Mine " })).toBe("Mine")
  })
  it("has the same session for the same recording", async () => {
    const [a, b] = [
      await submit({ source: join(dir, "same.wav") }),
      await submit({ source: join(dir, "./x/../same.wav") }),
    ]
    expect(a.session_id).toBe(b.session_id)
    expect(a.job_id).not.toBe(b.job_id)
  })
  it("answers 404 with the documented message for an unknown ID", async () => {
    for (const call of [client.job, client.result, client.cancel, client.retry])
      expect(await errorOf(call("nope"))).toEqual([404, "unknown job 'nope'"])
    expect(await errorOf(client.events("nope").next())).toEqual([404, "unknown job 'nope'"])
    expect(await errorOf(client.clip("x"))).toEqual([404, "unknown clip 'x'"])
  })
  it("has no result before it is done", async () => {
    const { job_id } = await submit()
    expect(await errorOf(client.result(job_id))).toEqual([409, `job '${job_id}' is queued, not done`])
  })
  it("is cancelled once and can then be retried, but not while it runs", async () => {
    const { job_id, session_id } = await submit()
    const [status, detail] = await errorOf(client.retry(job_id))
    expect([status, detail]).toEqual([409, expect.stringContaining(`job '${job_id}' is queued`)])
    expect((await client.cancel(job_id)).status).toBe("cancelled")
    expect((await errorOf(client.cancel(job_id)))[0]).toBe(409)
    expect(await client.retry(job_id)).toEqual({ job_id, session_id })
    expect(await client.job(job_id)).toMatchObject({ status: "queued", attempts: 2 })
  })
  it("streams its state changes until it ends", async () => {
    const { job_id } = await submit()
    const seen: JobRecord["status"][] = []
    for await (const job of client.events(job_id)) {
      seen.push(job.status)
      if (seen.length === 1) await client.cancel(job_id)
    }
    expect(seen).toEqual(["queued", "cancelled", "cancelled"])
  })
  it("is created once by ten simultaneous requests with one key", async () => {
    const source = join(dir, `${newId()}.wav`)
    const request = { source, transcription: words }
    const submissions = Array.from({ length: 10 }, () => client.submit(request, { idempotencyKey: source }))
    const jobs = await Promise.all(submissions)
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(1)
    expect((await client.jobs({ clip_id: jobs[0]!.session_id })).jobs).toHaveLength(1)
    const other = await errorOf(client.submit({ ...request, title: "Other" }, { idempotencyKey: source }))
    expect(other).toEqual([422, expect.stringContaining("Idempotency-Key was used for another request")])
  })
  it("is created once by repeated uploads with one key, and the address of the job is in the response", async () => {
    const upload = async (text: string, title: string) => {
      const form = new FormData()
      form.set("title", title)
      form.set("file", new Blob([`RIFF\0\0\0\0WAVE ${text}`]), "a.wav")
      const headers = { "idempotency-key": "upload 1" }
      const response = await fetch(`${server.url}/jobs/audio`, { method: "POST", body: form, headers })
      return { status: response.status, headers: response.headers, json: (await response.json()) as { job_id: string } }
    }
    const first = await upload("one", "A")
    expect([first.status, first.headers.get("location")]).toEqual([202, `/jobs/${first.json.job_id}`])
    const second = await upload("one", "A")
    expect([second.status, second.json, second.headers.get("idempotent-replayed")]).toEqual([202, first.json, "true"])
    const before = readdirSync(config.data.dir, { recursive: true })
    for (const other of [upload("two", "A"), upload("one", "B")]) expect((await other).status).toBe(422)
    expect(readdirSync(config.data.dir, { recursive: true })).toEqual(before)
  })
  it("is rejected outside the roots, with the setting that would allow it", async () => {
    const [status, detail] = await errorOf(client.submit({ source: "/etc/passwd" }))
    expect([status, detail]).toEqual([403, expect.stringContaining("SERVICE_INGEST_ROOTS")])
  })
  it("accepts a file, whose name becomes the title and whose content hash becomes the identity", async () => {
    const file = new Blob(["RIFF\0\0\0\0WAVE not really"])
    const one = await client.upload(file, { language: null, max_concurrency: 2 }, { filename: "Über uns.wav" })
    const two = await client.upload(file, { title: "Again" }, { filename: "other.mp3" })
    expect(one.session_id).toBe(two.session_id)
    expect((await client.job(one.job_id)).title).toBe("Über uns.wav")
    expect((await client.job(two.job_id)).title).toBe("Again")
    expect(await errorOf(client.upload(new Blob([]), {}))).toEqual([422, expect.stringContaining("empty")])
  })
})

describe("malicious IDs and bodies", () => {
  it("answers 404 to an ID that does not exist, however long it is", async () => {
    const id = "x".repeat(5000)
    expect(await errorOf(client.job(id))).toEqual([404, `unknown job '${id}'`])
    expect(await errorOf(client.clip(id))).toEqual([404, `unknown clip '${id}'`])
    expect(await errorOf(client.retry(id))).toEqual([404, `unknown job '${id}'`])
  })
  for (const id of ["../x", "'; DROP TABLE jobs;--", "x".repeat(201), "%00", "💥"])
    it(`answers 4xx to the ID ${JSON.stringify(id).slice(0, 30)}`, async () => {
      const [status] = await errorOf(client.job(id))
      expect([400, 404, 422]).toContain(status)
    })
  for (const body of [
    '{"source":1e999}',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    '{"source":"x","max_concurrency":1e999}',
    '{"source":"\\u0000"}',
  ])
    it(`answers 422 to the body ${body.slice(0, 40)}`, async () => {
      const { status, json } = await raw(server.url, "/jobs/audio", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      })
      expect([status, typeof json?.detail]).toEqual([422, "string"])
    })
})

describe("the map's files", () => {
  it("are served with type and ETag, and hashed names are immutable", async () => {
    expect((await raw(server.url, "/viz-assets/manifest.json")).json).toEqual({
      files: ["plain.svg", "stars-0123abcd.json"],
    })
    const plain = await raw(server.url, "/viz-assets/plain.svg")
    expect([plain.status, plain.headers["content-type"], plain.headers["cache-control"]]).toEqual([
      200,
      "image/svg+xml",
      "no-cache",
    ])
    const again = await raw(server.url, "/viz-assets/plain.svg", { headers: { "if-none-match": plain.headers.etag! } })
    expect([again.status, again.text]).toEqual([304, ""])
    expect((await raw(server.url, "/viz-assets/stars-0123abcd.json")).headers["cache-control"]).toMatch(/immutable/)
  })
  for (const path of [
    "/viz-assets/..%2f..%2f..%2fsecret.json",
    "/viz-assets/%2e%2e/secret.json",
    "/viz-assets/nothing.js",
    "/viz-assets/.",
    "/viz-assets/%00",
  ])
    it(`answers 4xx to ${path}`, async () => expect([400, 404]).toContain((await raw(server.url, path)).status))
})

describe("readiness", () => {
  it("is down without workers, and ok with workers for every stage", async () => {
    const before = await client.readiness()
    expect(before).toMatchObject({ status: "down", checks: { store: { state: "ok" }, worker: { state: "down" } } })
    expect((await raw(server.url, "/health/ready")).status).toBe(503)
    const worker = { id: "w", host: "h", pid: 1, version: "1.0.0", started_at: Date.now(), active_at: null }
    await node.store!.installation.recordHeartbeat({ ...worker, stages: STAGE_NAMES.filter((s) => s !== "persist") })
    expect((await client.readiness()).checks.worker.detail).toContain("persist")
    await node.store!.installation.recordHeartbeat({ ...worker, id: "p", stages: ["persist"] })
    expect((await client.readiness()).checks.worker.state).toBe("ok")
    expect((await raw(server.url, "/health/ready")).status).toBe(200)
  })
})

describe("an empty map", () => {
  it("returns no hits for a blank search, and names invalid parameters", async () => {
    expect(await client.vizSearch({ q: "   " })).toEqual([])
    expect(await errorOf(client.vizSearch({ q: "" }))).toEqual([422, expect.stringMatching(/^q: /)])
    expect(await errorOf(client.vizSearch({ q: "a", topK: 101 }))).toEqual([422, expect.stringMatching(/^top_k: /)])
    expect(await errorOf(client.vizData({ threshold: 2.1 }))).toEqual([
      422,
      expect.stringMatching(/^distance_threshold: /),
    ])
  })
})

describe("the client", () => {
  it("reports that the service does not answer", async () => {
    const [status, detail] = await errorOf(createClient({ baseUrl: "http://127.0.0.1:9" }).health())
    expect([status, detail]).toEqual([0, expect.stringContaining("http://127.0.0.1:9")])
  })
  it("rejects the answer of another service", async () => {
    const other = await serve(config, async () => Response.json({ status: "fine" }))
    expect(await errorOf(createClient({ baseUrl: other.url }).health())).toEqual([
      200,
      expect.stringContaining("'status'"),
    ])
    await other.close({ deadlineMs: 0 })
  })
  it("resumes a stream that was interrupted", async () => {
    const job = await client.job((await submit()).job_id)
    let calls = 0
    const flaky = await serve(config, async () => {
      calls++
      const end = `event: end\r\ndata: ${JSON.stringify({ ...job, status: "done" })}\r\n\r\n`
      const body =
        calls === 1 ? `event: progress\ndata: ${JSON.stringify(job)}\n\nevent: prog` : `: comment\r\n\r\n${end}`
      return new Response(body, { headers: { "content-type": "text/event-stream" } })
    })
    const seen: string[] = []
    for await (const record of createClient({ baseUrl: flaky.url }).events(job.job_id)) seen.push(record.status)
    expect([seen, calls]).toEqual([["queued", "done"], 2])
    await flaky.close({ deadlineMs: 0 })
  })
  it("gives up on a stream that keeps ending without an event", { timeout: 20_000 }, async () => {
    const empty = await serve(
      config,
      async () => new Response("", { headers: { "content-type": "text/event-stream" } }),
    )
    expect((await errorOf(createClient({ baseUrl: empty.url }).events("x").next()))[1]).toContain("event stream")
    await empty.close({ deadlineMs: 0 })
  })
  it("stops without an error when aborted", async () => {
    const { job_id } = await submit()
    const abort = new AbortController()
    let seen = 0
    for await (const _ of client.events(job_id, { signal: abort.signal })) {
      seen++
      abort.abort()
    }
    expect(seen).toBe(1)
  })
})

describe("stopping the service", () => {
  it("ends open streams", async () => {
    const { job_id } = await submit()
    const text = fetch(`${server.url}/jobs/${job_id}/events`).then((r) => r.text())
    await new Promise((r) => setTimeout(r, 100))
    stopping.abort()
    expect(await text).toMatch(/^event: progress\n/)
  })
})
