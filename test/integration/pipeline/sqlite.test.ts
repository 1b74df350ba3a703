import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { topicSettings } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { rerunTopics } from "#lib/services/topics/rerun-topics.ts"
import { type Bench, openBench, type WorkerProcess } from "../../fixtures/speech-bench.ts"
import { speechWords } from "../../fixtures/speech-words.ts"

const WITHOUT_PERSIST = STAGE_NAMES.filter((s) => s !== "persist")
const once = Object.fromEntries(STAGE_NAMES.map((s) => [s, 1]))
const done = Object.fromEntries(STAGE_NAMES.map((s) => [s, "done"]))

describe("a stage worker and a persist worker on the embedded broker", () => {
  let bench: Bench
  let stageWorker: WorkerProcess
  let persistWorker: WorkerProcess
  beforeAll(async () => {
    bench = await openBench({ SERVICE_PROVIDER: "builtin" })
    ;[stageWorker, persistWorker] = await Promise.all([bench.worker(WITHOUT_PERSIST), bench.worker(["persist"])])
  })
  afterAll(() => bench.close())

  it("takes a job with given words through all eight stages, each begun once", async () => {
    const words = speechWords()
    const id = await bench.submit({ source: "https://example.org/talk", transcription: words, title: "A talk" })
    const job = await bench.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.error).toBeUndefined()
    expect(job.stages).toEqual(done)
    expect(job.stage_attempts).toEqual(once)

    const clip = await bench.store.clips.get(job.session_id)
    expect(clip?.transcription).toEqual(words)
    expect(clip).toMatchObject({ title: "A talk", provider: "builtin", llm_model: null, duration_s: words.at(-1)!.end })
    const topics = clip!.tree.topics[0]!.children
    expect(topics.map((t) => t.start_s)).toEqual([0, 152, 304, 456].map((s) => expect.closeTo(s, -1)))

    const map = await bench.store.map.getSnapshot()
    const vectors = await bench.store.map.getVectors(
      clip!.embed_model!,
      map.topics.map((t) => t.hash),
    )
    expect(map.topics).toHaveLength(clip!.topics.length)
    expect(vectors.size).toBe(new Set(map.topics.map((t) => t.hash)).size)
  })

  it("runs persist in the persist worker alone", async () => {
    const begun = (lines: readonly { msg: string; stage?: string }[]) =>
      new Set(lines.filter((l) => l.msg === "stage begins").map((l) => l.stage))
    expect(begun(persistWorker.lines)).toEqual(new Set(["persist"]))
    expect(begun(stageWorker.lines)).toEqual(new Set(WITHOUT_PERSIST))
  })

  it("makes the topics of a clip anew without listening, as another run", async () => {
    const [clip] = (await bench.store.clips.list({ limit: 1 })).clips
    const settings = topicSettings.parse({ provider: "builtin", min_subdivide_duration_s: 10_000 })
    const { job_id, session_id } = await rerunTopics(bench.node, { id: clip!.id }, settings)
    const job = await bench.until(job_id, (j) => j.status === "done" || j.status === "error")
    expect([job.status, session_id]).toEqual(["done", clip!.id])
    const runs = await bench.store.topics.listRuns(clip!.id)
    expect(runs).toMatchObject([{ id: job_id, settings }, { settings: { min_subdivide_duration_s: 120 } }])
    const words = (await bench.store.clips.get(clip!.id))!.transcription
    expect(words).toHaveLength((await bench.store.clips.get(session_id))!.transcription.length)
    expect((await bench.store.clips.get(clip!.id))!.topics.every((t) => t.level < 3)).toBe(true)
  })

  it("ends a job about silence done, with one topic", async () => {
    const id = await bench.submit({ source: "https://example.org/silence", transcription: [] })
    const job = await bench.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.status).toBe("done")
    const clip = await bench.store.clips.get(job.session_id)
    expect(clip?.topics).toMatchObject([{ level: 1, number: "1", title: "No speech" }])
  })

  it("ends a job whose file is missing in error at whisper, and others go on", async () => {
    const missing = await bench.submit({ source: `${bench.dir}/none.wav` })
    const other = await bench.submit({
      source: "https://example.org/other",
      transcription: speechWords({ subjects: 2 }),
    })
    const job = await bench.until(missing, (j) => j.status === "error")
    expect(job.error).toEqual({ stage: "whisper", detail: `no such file: ${bench.dir}/none.wav` })
    expect(job.stages.l1).toBe("pending")
    await bench.until(other, (j) => j.status === "done")
  })

  it("puts messages that cannot be followed out of the way, with the reason", async () => {
    const message = {
      version: 1,
      job_id: "01980000-0000-7000-8000-000000000000",
      session_id: "fa678091-b771-53c5-bb5c-b97259498be6",
      stage: "l1",
      attempt: 1,
      next: ["decide", "summarize_l1"],
    }
    const bodies = {
      summarize: { ...message, stage: "summarize", next: [] },
      "not allowed": { ...message, next: ["l0"] },
      "unknown job": message,
      "in the queue of": { ...message, stage: "l2", next: ["summarize_l2"] },
    }
    await bench.node.broker!.publish(
      Object.values(bodies).map((body, i) => ({ id: `bad-${i}`, stage: "l1" as const, body: JSON.stringify(body) })),
    )
    await expect.poll(async () => (await bench.node.broker!.depth()).l1, { timeout: 5000 }).toBe(0)
    const refused = () => stageWorker.lines.filter((l) => l.msg === "message refused")
    await expect.poll(refused).toHaveLength(4)
  })

  it("ends in order on SIGTERM: signs off, leaves no lease behind", async () => {
    for (const worker of bench.workers) worker.kill("SIGTERM")
    const ends = await Promise.all(bench.workers.map((w) => w.exited))
    expect(ends).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await bench.store.installation.listWorkers({ aliveWithinMs: 60_000 })).toEqual([])
    expect(await bench.store.outbox.acquireLease({ name: "relay", owner: "test", ttlMs: 100 })).toBe(true)
  })
})
