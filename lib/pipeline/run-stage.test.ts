import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { recordLog } from "#test/fixtures/recorded-log.ts"
import { AppError } from "../domain/errors.ts"
import { jobOptions } from "../domain/jobs/jobs.ts"
import { createBuiltinEmbedder } from "../engines/embedding/builtin.ts"
import { createBuiltinTopicModel } from "../engines/language/builtin/index.ts"
import type { TopicModel } from "../engines/language/types.ts"
import type { Transcriber } from "../engines/speech/types.ts"
import type { Engines } from "../engines/types.ts"
import { packageRoot } from "../platform/package-root.ts"
import { openDatabase } from "../storage/database/open.ts"
import type { StageStore } from "../storage/stores/ports/stages.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { openSqliteStore } from "../storage/stores/sqlite/index.ts"
import { finish, newJob, tryClaim, wordsOf } from "../storage/stores/testing/fixtures.ts"
import { createStageRunner, type RunnerDeps } from "./run-stage.ts"

const words = wordsOf("one two three")
const HOUR_MS = 3_600_000
const full = new AppError("storage_full", "The disk is full.", { retry: "retry" })

describe("a stage runner", () => {
  let folder: string
  let store: Store
  let evicted: string[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "earmark-runner-"))
    store = openSqliteStore(
      openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }),
    )
    evicted = []
    await store.jobs.submit(newJob({ jobId: "j", transcription: { words, estimated_times: false } }))
  })
  afterEach(async () => {
    vi.useRealTimers()
    await store.close()
    await rm(folder, { recursive: true })
  })

  /** Creates a runner whose language model is the builtin one under a name, with some of its methods replaced. */
  const createRunner = (
    stages: Partial<StageStore>,
    {
      maxDeferMs = 60_000,
      leaseMs = 2_000,
      model = {} as Partial<TopicModel>,
      ...over
    }: Partial<RunnerDeps> & {
      model?: Partial<TopicModel>
    } = {},
  ) => {
    const { log, lines } = recordLog()
    const runner = createStageRunner({
      store: { ...store, stages: { ...store.stages, ...stages } },
      engines: {
        getTopicModel: async () => ({ ...createBuiltinTopicModel(), model: "gemma", ...model }),
        getEmbedder: async () => createBuiltinEmbedder(),
        releaseModel: async (name) => void evicted.push(name),
      } as Partial<Engines> as Engines,
      openSource: () => Promise.reject(new Error("the source must not be opened")),
      log,
      owner: "worker",
      host: "host",
      leaseMs,
      heartbeatMs: leaseMs / 4,
      maxDeferMs,
      gpus: null,
      ...over,
    })
    return { ...runner, lines }
  }
  /** A model that finds the topics when the test says so, or when it is stopped. */
  const pausedModel = () => {
    let resume = (): void => undefined
    const resumed = new Promise<void>((resolve) => {
      resume = resolve
    })
    const begun = vi.fn()
    const findBoundaries: TopicModel["findBoundaries"] = async (_, { signal }) => {
      begun()
      await new Promise<void>((resolve, reject) => {
        void resumed.then(resolve)
        signal.addEventListener("abort", () => reject(signal.reason as Error))
      })
      return [{ start_s: 0, end_s: 3 }]
    }
    return { model: { findBoundaries }, resume, begun }
  }

  it("keeps the result of a stage until the disk of the database has space again, and its lease meanwhile", async () => {
    let failures = 2
    const seen: unknown[] = []
    const sweep = () => store.stages.sweep({ leaseMs: 300, intervalMs: 20 })
    const sweeping = setInterval(sweep, 20)
    const complete: StageStore["complete"] = async (claim, result) => {
      if (failures-- > 0) throw full
      seen.push((await store.jobs.get("j"))?.progress?.waiting?.reason)
      return store.stages.complete(claim, result)
    }
    const outcome = await createRunner({ complete }, { leaseMs: 300 }).run("j", "whisper")
    clearInterval(sweeping)
    expect(outcome).toBe("done")
    expect(seen).toEqual(["The disk is full."])
    expect(await store.jobs.get("j")).toMatchObject({
      progress: null,
      stages: { whisper: "done" },
      stage_attempts: { whisper: 1 },
    })
  })

  it("fails the job if the result cannot be stored within the limit", async () => {
    const complete = () => Promise.reject(full)
    expect(await createRunner({ complete }, { maxDeferMs: 1 }).run("j", "whisper")).toBe("error")
    expect(await store.jobs.get("j")).toMatchObject({
      status: "error",
      error: { stage: "whisper", detail: expect.stringMatching(/could not be stored.*disk is full/) },
      stage_attempts: { whisper: 1 },
    })
  })

  it("evicts the language model after the last topic stage, without a sweeper", async () => {
    await finish(store, "j", "whisper")
    const runner = createRunner({})
    for (const stage of ["l1", "decide", "l2", "summarize_l1", "summarize_l2"] as const)
      expect(await runner.run("j", stage)).toBe("done")
    expect(evicted).toEqual([])
    expect(await runner.run("j", "l0")).toBe("done")
    expect(evicted).toEqual(["gemma"])
  })

  it("says what it runs, since when, and how it ended", async () => {
    const { model, resume, begun } = pausedModel()
    await finish(store, "j", "whisper")
    const runner = createRunner({}, { model })
    expect([runner.inFlightCount(), runner.activeAt()]).toEqual([0, null])
    const before = Date.now()
    const running = runner.run("j", "l1")
    await vi.waitFor(() => expect(begun).toHaveBeenCalled())
    expect(runner.inFlightCount()).toBe(1)
    const claimedAt = runner.activeAt()!
    expect(claimedAt).toBeGreaterThanOrEqual(before)
    await sleep(5)
    resume()
    expect(await running).toBe("done")
    expect([runner.inFlightCount(), runner.activeAt()! > claimedAt]).toEqual([0, true])
    const job = { level: "info", job_id: "j", stage: "l1", attempt: 1 }
    expect(runner.lines).toEqual([
      { ...job, msg: "stage started" },
      { ...job, outcome: "done", ms: runner.activeAt()! - claimedAt, msg: "stage ended" },
    ])
  })

  it("runs neither a stage that is done or claimed, nor one of an unknown job, nor an attempt that is over", async () => {
    const runner = createRunner({})
    expect(await runner.run("unknown", "whisper")).toBe("unknown")
    expect(await runner.run("j", "whisper", { alone: true, attempt: 2 })).toBe("duplicate")
    expect(await runner.run("j", "whisper", { alone: false, attempt: 1 })).toBe("done")
    expect(await runner.run("j", "whisper")).toBe("duplicate")
    await tryClaim(store, "j", "l1", "another")
    expect(await runner.run("j", "l1")).toBe("duplicate")
    expect(runner.lines.filter(({ msg }) => msg === "stage started")).toHaveLength(1)
  })

  it("drops the result of a claim that another worker has taken over", async () => {
    const runner = createRunner({ complete: async () => false })
    expect(await runner.run("j", "whisper")).toBe("dropped")
    const failing = createRunner({ complete: () => Promise.reject(new Error("no")), fail: async () => "fenced" })
    await store.jobs.submit(newJob({ jobId: "k", transcription: { words, estimated_times: false } }))
    expect(await failing.run("k", "whisper")).toBe("dropped")
  })

  it("returns a stage to its queue when the worker stops, without using an attempt", async () => {
    const { model, begun } = pausedModel()
    await finish(store, "j", "whisper")
    const runner = createRunner({}, { model })
    const running = runner.run("j", "l1")
    await vi.waitFor(() => expect(begun).toHaveBeenCalled())
    runner.abort()
    expect(await running).toBe("queued")
    expect(await store.jobs.get("j")).toMatchObject({ status: "running", stages: { l1: "queued" } })
    expect(runner.lines).toContainEqual(
      expect.objectContaining({
        level: "info",
        kind: "later",
        detail: "stopped: shutdown",
        retryInMs: 0,
        msg: "stage did not finish",
      }),
    )
    const retried = await tryClaim(store, "j", "l1")
    expect(retried.claim).toMatchObject({ attempt: 2, tries: 1 })
  })

  it("retries a stage that fails, with the delay of its row in the table", async () => {
    await finish(store, "j", "whisper")
    const failures: unknown[] = []
    const fail: StageStore["fail"] = (claim, failure) => {
      failures.push(failure)
      return store.stages.fail(claim, failure)
    }
    const findBoundaries = () => Promise.reject(new AppError("unavailable", "no model", { retry: "retry" }))
    const runner = createRunner({ fail }, { model: { findBoundaries } })
    expect(await runner.run("j", "l1")).toBe("queued")
    expect(failures).toEqual([{ kind: "retry", detail: "no model", retryInMs: expect.any(Number), maxDeferMs: 60_000 }])
    const { retryInMs } = failures[0] as { retryInMs: number }
    expect([retryInMs >= 1_000, retryInMs <= 2_000]).toEqual([true, true])
    const line = { level: "warn", kind: "retry", outcome: "queued", msg: "stage did not finish" }
    expect(runner.lines).toContainEqual(expect.objectContaining(line))
  })

  it("retries a stage that runs longer than its limit, and says what the limit is", async () => {
    const { model, begun } = pausedModel()
    await finish(store, "j", "whisper")
    // Only the timers of the attempt stand still; its lease is longer than its limit.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const runner = createRunner({}, { model, leaseMs: 10 * HOUR_MS })
    const running = runner.run("j", "l1")
    await vi.waitFor(() => expect(begun).toHaveBeenCalled())
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(await running).toBe("queued")
    expect(runner.lines).toContainEqual(
      expect.objectContaining({ kind: "retry", detail: "The stage ran longer than its limit of 120 minutes." }),
    )
  })

  it("stops the other stages of a job that has failed, and no stage of another job", async () => {
    const options = jobOptions.parse({ min_subdivide_duration_s: 0 })
    await store.jobs.submit(newJob({ jobId: "failing", options, transcription: { words, estimated_times: false } }))
    for (const job of ["failing", "j"]) await finish(store, job, "whisper")
    expect(await createRunner({}).run("failing", "l1")).toBe("done")
    const { model, resume, begun } = pausedModel()
    const decided = vi.fn()
    const decide: TopicModel["decide"] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        decided()
        signal.addEventListener("abort", () => reject(signal.reason as Error))
      })
    const summarize = () => Promise.reject(new AppError("invalid", "no summary"))
    // No heartbeat notices that the job has failed.
    const runner = createRunner({}, { model: { ...model, decide, summarize }, leaseMs: HOUR_MS })
    const [other, deciding] = [runner.run("j", "l1"), runner.run("failing", "decide")]
    await vi.waitFor(() => expect([begun.mock.calls.length, decided.mock.calls.length]).toEqual([1, 1]))
    expect(await runner.run("failing", "summarize_l1")).toBe("error")
    expect(await deciding).toBe("dropped")
    expect(runner.inFlightCount()).toBe(1)
    resume()
    expect(await other).toBe("done")
  })

  it("holds the language model for its job, unless the stage only reads the name, and again after an outage", async () => {
    const held: unknown[] = []
    const holdModel = async (use: { jobId: string; model: string }) => {
      if (held.push(use) === 1) throw new AppError("unavailable", "the database does not answer")
      await store.resources.holdModel(use)
    }
    await finish(store, "j", "whisper")
    const runner = createRunner({}, { store: { ...store, resources: { ...store.resources, holdModel } } })
    expect(await runner.run("j", "l1")).toBe("done")
    const use = { jobId: "j", model: "gemma" }
    expect(held).toEqual([use, use])
    await finish(store, "j", "decide", "l2", "summarize_l1", "summarize_l2", "l0")
    expect(await runner.run("j", "persist")).toBe("done")
    expect(held).toHaveLength(2)
  })

  it("does not ask for the GPU with an engine that needs none", async () => {
    await store.jobs.submit(newJob({ jobId: "k" }))
    const transcript = { words: [], duration_s: 1, language: "en", engine: "pocketsphinx", model: "m" } as const
    const engine: Transcriber = {
      name: "pocketsphinx",
      probe: async () => ({ available: true, detail: "" }),
      transcribe: async () => ({ ...transcript, words: [], diarized: false, estimatedTimes: false, notes: [] }),
      close: async () => {},
    }
    const acquireGpu = vi.fn(async () => true)
    const runner = createRunner(
      {},
      {
        store: { ...store, resources: { ...store.resources, acquireGpu } },
        engines: {
          speech: {
            pick: async () => engine,
            embedSpeakers: async () => null,
            computeWaveform: () => Promise.reject(),
            cutAudio: () => Promise.reject(),
            close: async () => {},
          },
          releaseModel: async () => {},
        } as Partial<Engines> as Engines,
        openSource: async () => ({ path: "/r/talk.wav", sessionId: undefined, keptAt: null }),
        gpus: { speech: "host", ollama: "host", openai: "host" },
      },
    )
    expect(await runner.run("k", "whisper")).toBe("done")
    expect(acquireGpu).not.toHaveBeenCalled()
  })

  it("logs models that cannot be unloaded, and ends its stage all the same", async () => {
    const claimEvictableModels = () => Promise.reject(new Error("locked"))
    const runner = createRunner({}, { store: { ...store, resources: { ...store.resources, claimEvictableModels } } })
    expect(await runner.run("j", "whisper")).toBe("done")
    expect(runner.lines.at(-1)).toMatchObject({ level: "warn", detail: "locked", msg: "failed to evict models" })
  })
})
