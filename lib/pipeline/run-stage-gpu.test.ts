import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { createBuiltinTopicModel } from "../engines/language/builtin/index.ts"
import type { Transcriber } from "../engines/speech/types.ts"
import type { Engines } from "../engines/types.ts"
import { loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { packageRoot } from "../platform/package-root.ts"
import { openDatabase } from "../storage/database/open.ts"
import { openSqliteStore } from "../storage/stores/sqlite/index.ts"
import { finish, newJob, resultOf } from "../storage/stores/testing/fixtures.ts"
import { type GpuHosts, resolveGpuHosts } from "./gpu.ts"
import { createStageRunner } from "./run-stage.ts"

const WORK_MS = 300
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Two workers on one store, with a speech engine and a language model that note when they are at work. */
const setUp = async (gpus: GpuHosts) => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-gpu-"))
  const handle = openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  ends.push(
    () => rm(folder, { recursive: true }),
    () => handle.close(),
  )
  const log = createLogger("silent", "test")
  const times: { kind: string; from: number; to: number }[] = []
  const work = async <T>(kind: string, result: T, signal: AbortSignal): Promise<T> => {
    const from = Date.now()
    await sleep(WORK_MS, undefined, { signal })
    times.push({ kind, from, to: Date.now() })
    return result
  }
  const engine: Transcriber = {
    name: "pocketsphinx",
    usesGpu: true,
    probe: async () => ({ available: true, detail: "" }),
    transcribe: ({ signal }) => {
      const heard = { words: [], duration_s: 1, language: "en", engine: "pocketsphinx", model: "m" } as const
      return work("whisper", { ...heard, words: [], diarized: false, estimatedTimes: false, notes: [] }, signal)
    },
    close: async () => {},
  }
  const topics = {
    ...createBuiltinTopicModel(),
    model: "gemma",
    findBoundaries: (_: unknown, { signal }: { signal: AbortSignal }) =>
      work("llm", [{ start_s: 0, end_s: 3 }], signal),
  }
  const engines = {
    getTopicModel: async () => topics,
    speech: {
      pick: async () => engine,
      embedSpeakers: async () => null,
      computeWaveform: async () => ({ duration_s: 0, peaks: [] }),
      cutAudio: async () => undefined,
      close: async () => {},
    },
    releaseModel: async () => {},
  } as Partial<Engines> as Engines
  const runner = (owner: string) =>
    createStageRunner({
      store,
      engines,
      openSource: async () => ({ path: "/recordings/talk.wav", sessionId: undefined, keptAt: null }),
      log,
      owner,
      host: "host",
      leaseMs: 2_000,
      heartbeatMs: 200,
      maxDeferMs: 60_000,
      gpus,
    })
  return { store, runner, times }
}

const llmJob = async (store: Awaited<ReturnType<typeof setUp>>["store"], jobId: string) => {
  await store.jobs.submit(newJob({ jobId }))
  await finish(store, jobId, "whisper")
}

describe("stages on one GPU", () => {
  it("alternate between kinds, run together within a kind, and need one attempt", async () => {
    const { store, runner, times } = await setUp({ speech: "host", ollama: "host", openai: "host" })
    await llmJob(store, "a")
    await llmJob(store, "b")
    await store.jobs.submit(newJob({ jobId: "c" }))
    const [one, two] = [runner("one"), runner("two")]
    const topics = [one.run("a", "l1"), two.run("b", "l1")]
    await expect.poll(() => times.length > 0 || one.inFlightCount() + two.inFlightCount() === 2).toBe(true)
    await sleep(50)
    const speech = two.run("c", "whisper")
    expect(await Promise.all([...topics, speech])).toEqual(["done", "done", "done"])

    const [a, b] = times.filter((t) => t.kind === "llm")
    const [c] = times.filter((t) => t.kind === "whisper")
    expect(Math.max(a!.from, b!.from)).toBeLessThan(Math.min(a!.to, b!.to))
    expect(c!.from).toBeGreaterThanOrEqual(Math.max(a!.to, b!.to))
    expect((await store.jobs.get("c"))?.stage_attempts.whisper).toBe(1)
  }, 20_000)

  it("stop waiting when they are cancelled", async () => {
    const { store, runner } = await setUp({ speech: "host", ollama: "host", openai: "host" })
    await llmJob(store, "a")
    await store.jobs.submit(newJob({ jobId: "c" }))
    const holder = await store.stages.claim({ jobId: "a", stage: "l1", owner: "x", host: "host", leaseMs: 60_000 })
    const place = { gpu: "host", kind: "llm", turnMs: 60_000, lingerMs: 0 } as const
    expect(await store.resources.acquireGpu({ claim: holder.claim!, ...place })).toBe(true)
    const waiting = runner("one").run("c", "whisper")
    await sleep(400)
    await store.jobs.cancel("c")
    expect(await waiting).toBe("dropped")
    await store.stages.complete(holder.claim!, resultOf("l1"))
  }, 20_000)

  it("stop without using an attempt if they are aborted while their claim is written", async () => {
    const { store, runner, times } = await setUp({ speech: "host", ollama: "host", openai: "host" })
    await store.jobs.submit(newJob({ jobId: "c" }))
    const worker = runner("one")
    const running = worker.run("c", "whisper")
    worker.abort()
    expect(await running).toBe("queued")
    expect(times).toEqual([])
  })

  it("do not wait for each other if the GPU is shared or the model server is another host", async () => {
    const settings = (env: Record<string, string>) => loadConfig({ SERVICE_DATA_DIR: tmpdir(), ...env })
    expect(resolveGpuHosts(settings({}), "host")).toEqual({ speech: "host", ollama: "host", openai: "host" })
    expect(resolveGpuHosts(settings({ SERVICE_OLLAMA_BASE_URL: "http://gpu-box:11434" }), "host")?.ollama).toBe(
      "gpu-box",
    )
    expect(resolveGpuHosts(settings({ SERVICE_OLLAMA_BASE_URL: "http://[::1]:11434" }), "host")?.ollama).toBe("host")
    const { speech, ollama } = resolveGpuHosts(
      settings({ SERVICE_OLLAMA_BASE_URL: "http://gpu1.example.org:11434" }),
      "GPU1",
    )!
    expect(ollama).toBe(speech)
    expect(resolveGpuHosts(settings({ SERVICE_OLLAMA_BASE_URL: "http://10.0.0.7:11434" }), "gpu1")?.ollama).toBe(
      "10.0.0.7",
    )
    const remote = settings({ SERVICE_OPENAI_BASE_URL: "https://models.example.org/v1" })
    expect(resolveGpuHosts(remote, "host")).toEqual({ speech: "host", ollama: "host", openai: "models" })
    const shared = resolveGpuHosts(settings({ SERVICE_GPU_TENANCY: "shared" }), "host")
    expect(shared).toBeNull()

    const { store, runner, times } = await setUp(shared)
    await llmJob(store, "a")
    await store.jobs.submit(newJob({ jobId: "c" }))
    await Promise.all([runner("one").run("a", "l1"), runner("two").run("c", "whisper")])
    const [first, second] = times
    expect(Math.max(first!.from, second!.from)).toBeLessThan(Math.min(first!.to, second!.to))
  })
})
