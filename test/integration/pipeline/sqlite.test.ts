import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { topicSettings } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { rerunTopics } from "#lib/services/topics/topic-runs.ts"
import { type Installation, openInstallation, type WorkerProcess } from "../../fixtures/installation.ts"
import { speechWords } from "../../fixtures/speech-words.ts"

const WITHOUT_PERSIST = STAGE_NAMES.filter((s) => s !== "persist")
const once = Object.fromEntries(STAGE_NAMES.map((s) => [s, 1]))
const done = Object.fromEntries(STAGE_NAMES.map((s) => [s, "done"]))

describe("a stage worker and a persist worker on the embedded broker", () => {
  let installation: Installation
  let stageWorker: WorkerProcess
  let persistWorker: WorkerProcess
  beforeAll(async () => {
    installation = await openInstallation({ SERVICE_PROVIDER: "builtin" })
    ;[stageWorker, persistWorker] = await Promise.all([
      installation.worker(WITHOUT_PERSIST),
      installation.worker(["persist"]),
    ])
  })
  afterAll(() => installation.close())

  it("runs a job with given words through all eight stages, each once", async () => {
    const words = speechWords()
    const id = await installation.submit({ source: "https://example.org/talk", transcription: words, title: "A talk" })
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.error).toBeUndefined()
    expect(job.stages).toEqual(done)
    expect(job.stage_attempts).toEqual(once)

    const clip = await installation.store.clips.get(job.session_id)
    expect(clip?.transcription).toEqual(words)
    expect(clip).toMatchObject({ title: "A talk", provider: "builtin", llm_model: null, duration_s: words.at(-1)!.end })
    const topics = clip!.tree.topics[0]!.children
    expect(topics.map((t) => t.start_s)).toEqual([0, 152, 304, 456].map((s) => expect.closeTo(s, -1)))

    const map = await installation.store.map.getSnapshot()
    const vectors = await installation.store.map.getVectors(
      clip!.embed_model!,
      map.topics.map((t) => t.hash),
    )
    expect(map.topics).toHaveLength(clip!.topics.length)
    // The map computes the vectors of the builtin embedder from the words.
    expect(vectors.size).toBe(0)
    const speech = await installation.store.map.getSpeech(map.topics.map((t) => t.speechHash))
    expect(speech.size).toBe(new Set(map.topics.map((t) => t.speechHash)).size)
  })

  it("runs persist only in the persist worker", async () => {
    const stagesStarted = (lines: readonly { msg: string; stage?: string }[]) =>
      new Set(lines.filter((l) => l.msg === "stage started").map((l) => l.stage))
    // The lines of a process arrive after the state of the job that they are about.
    await expect.poll(() => stagesStarted(persistWorker.lines), { timeout: 10_000 }).toEqual(new Set(["persist"]))
    expect(stagesStarted(stageWorker.lines)).toEqual(new Set(WITHOUT_PERSIST))
  })

  it("runs the topic stages of a clip again without transcribing it, as another topic run", async () => {
    const { id } = (await installation.store.clips.list({ limit: 1 })).clips[0]!
    const before = (await installation.store.clips.get(id))!
    const settings = topicSettings.parse({ provider: "builtin", min_subdivide_duration_s: 10_000 })
    const { job_id, session_id } = await rerunTopics(installation.node, { id }, settings)
    const job = await installation.until(job_id, (j) => j.status === "done" || j.status === "error")
    // The source cannot be fetched, so the job would fail if it transcribed again.
    expect([job.status, session_id]).toEqual(["done", id])
    const runs = await installation.store.topics.listRuns(id)
    expect(runs).toMatchObject([{ id: job_id, settings }, { settings: { min_subdivide_duration_s: 120 } }])
    const after = (await installation.store.clips.get(id))!
    expect(after.transcription).toEqual(before.transcription)
    expect(after.topics.map((t) => t.number)).toEqual(before.topics.map((t) => t.number))
  })

  it("finishes a job without words with one topic", async () => {
    const id = await installation.submit({ source: "https://example.org/silence", transcription: [] })
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.status).toBe("done")
    const clip = await installation.store.clips.get(job.session_id)
    expect(clip?.topics).toMatchObject([{ level: 1, number: "1", title: "No speech" }])
  })

  it("fails a job whose file is missing at whisper, while others continue", async () => {
    const missing = await installation.submit({ source: `${installation.dir}/none.wav` })
    const other = await installation.submit({
      source: "https://example.org/other",
      transcription: speechWords({ subjects: 2 }),
    })
    const job = await installation.until(missing, (j) => j.status === "error")
    expect(job.error).toEqual({ stage: "whisper", detail: `no such file: ${installation.dir}/none.wav` })
    expect(job.stages.l1).toBe("pending")
    await installation.until(other, (j) => j.status === "done")
  })

  it("moves invalid messages to the dead letters with their reason", async () => {
    const message = {
      version: 1,
      job_id: "01980000-0000-7000-8000-000000000000",
      session_id: "fa678091-b771-53c5-bb5c-b97259498be6",
      stage: "l1",
      attempt: 1,
      next: ["decide", "summarize_l1"],
    }
    const bodies = {
      "not a stage message": { ...message, stage: "summarize", next: [] },
      "[l0]": { ...message, next: ["l0"] },
      "unknown job": message,
      "in the queue of": { ...message, stage: "l2", next: ["summarize_l2"] },
    }
    await installation.node.broker!.publish(
      Object.values(bodies).map((body, i) => ({ id: `bad-${i}`, stage: "l1" as const, body: JSON.stringify(body) })),
    )
    await expect.poll(async () => (await installation.node.broker!.depth()).l1, { timeout: 20_000 }).toBe(0)
    const reasons = (await installation.node.broker!.deadLetters({ limit: 10 })).map((letter) => letter.reason)
    expect(reasons).toHaveLength(4)
    for (const reason of Object.keys(bodies)) expect(reasons).toContainEqual(expect.stringContaining(reason))
    const rejections = () => stageWorker.lines.filter((l) => l.msg === "message rejected")
    await expect.poll(rejections).toHaveLength(4)
  })

  it("shuts down gracefully on SIGTERM: deregisters the workers and releases the relay lease", async () => {
    for (const worker of installation.workers) worker.kill("SIGTERM")
    const ends = await Promise.all(installation.workers.map((w) => w.exited))
    expect(ends).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await installation.store.installation.listWorkers({ aliveWithinMs: 60_000 })).toEqual([])
    expect(await installation.store.outbox.acquireLease({ name: "relay", owner: "test", ttlMs: 100 })).toBe(true)
  })
})
