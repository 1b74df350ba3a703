import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { HELD_CALL, type HeldStage } from "../fixtures/held-calls.ts"
import { type Installation, openInstallation } from "../fixtures/installation.ts"
import { type OllamaServer, startOllamaServer } from "../fixtures/ollama-server.ts"
import { speechWords } from "../fixtures/speech-words.ts"

const MODEL = "gemma4:latest"

describe("cancelling and retrying a job with a worker process and a model server", () => {
  let installation: Installation
  let ollama: OllamaServer
  beforeAll(async () => {
    ollama = await startOllamaServer()
    installation = await openInstallation({
      SERVICE_PROVIDER: "ollama",
      SERVICE_OLLAMA_BASE_URL: ollama.url,
      SERVICE_LEASE_S: "2",
      SERVICE_HEARTBEAT_S: "0.2",
      // The end of a stage evicts the model, not the next sweep.
      SERVICE_SWEEP_S: "60",
    })
    await installation.worker()
  })
  afterEach(() => ollama.reset())
  afterAll(async () => {
    await installation.close()
    await ollama.close()
  })

  const untilAborted = (id: string, stage: string) =>
    expect
      .poll(
        () =>
          installation.workers[0]!.lines.some((l) => l.msg === "stage ended" && l.job_id === id && l.stage === stage),
        {
          timeout: 5_000,
        },
      )
      .toBe(true)

  for (const [stage, held] of Object.entries(HELD_CALL) as [HeldStage, (typeof HELD_CALL)[HeldStage]][])
    it(`cancelling in ${stage} aborts the call, evicts the model once, and ignores late writes`, async () => {
      const release = ollama.hold(held)
      const id = await installation.submit({ source: `https://example.org/${stage}`, transcription: speechWords() })
      await installation.until(id, (j) => j.stages[stage] === "running")
      await ollama.waitUntilHeld()
      const cancelled = await installation.store.jobs.cancel(id)
      expect(cancelled).toMatchObject({ status: "cancelled", stages: { [stage]: "cancelled" } })
      await untilAborted(id, stage)
      release()
      expect(ollama.requests.filter((r) => r.outcome === "aborted").length).toBeGreaterThan(0)
      await expect.poll(() => ollama.stats().calls.unload, { timeout: 3_000 }).toBe(1)
      await sleep(500)
      expect(await installation.job(id)).toEqual(cancelled)
      expect(ollama.stats()).toMatchObject({ loads: { [MODEL]: 1 }, evictions: { [MODEL]: 1 }, calls: { unload: 1 } })
      expect((await installation.store.clips.get(cancelled!.session_id))?.topics).toEqual([])
    })

  it("cancelling in whisper stops the engine and writes nothing", async () => {
    const id = await installation.submit({ source: join(packageRoot(), "public/samples/three-subjects.flac") })
    await installation.until(id, (j) => j.stages.whisper === "running" && j.progress !== null, 60_000)
    const cancelled = await installation.store.jobs.cancel(id)
    await untilAborted(id, "whisper")
    expect(await installation.job(id)).toEqual(cancelled)
    expect(await installation.store.clips.get(cancelled!.session_id)).toBeNull()
  })

  it("a retry resumes at the failed stage and keeps the transcript", async () => {
    const release = ollama.hold({ kind: "decide" })
    const id = await installation.submit({
      source: "https://example.org/retry",
      transcription: speechWords(),
      max_concurrency: 8,
    })
    await installation.until(id, (j) => j.stages.summarize_l1 === "done")
    await ollama.waitUntilHeld()
    ollama.fail(400, 1)
    release()
    const failed = await installation.until(id, (j) => j.status === "error")
    expect(failed.error?.stage).toBe("decide")
    expect(failed.stages).toMatchObject({
      whisper: "done",
      l1: "done",
      summarize_l1: "done",
      decide: "error",
      l0: "pending",
    })
    await expect.poll(() => ollama.stats().calls.unload, { timeout: 3_000 }).toBe(1)
    expect((await installation.store.clips.get(failed.session_id))?.transcription).toEqual(speechWords())

    await installation.store.jobs.retry(id)
    const done = await installation.until(id, (j) => j.status === "done" || j.status === "error")
    expect(done.error).toBeUndefined()
    expect(done.attempts).toBe(2)
    expect(done.stage_attempts).toMatchObject({
      whisper: 1,
      l1: 1,
      summarize_l1: 1,
      decide: 2,
      l2: 1,
      l0: 1,
      persist: 1,
    })
    await expect.poll(() => ollama.stats().calls.unload, { timeout: 3_000 }).toBe(2)
  })
})
