import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { createBuiltinTopicModel } from "../engines/language/builtin/index.ts"
import type { Engines } from "../engines/types.ts"
import { createLogger } from "../platform/logger.ts"
import { packageRoot } from "../platform/package-root.ts"
import { openDatabase } from "../storage/database/open.ts"
import type { StageStore } from "../storage/stores/ports/stages.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { openSqliteStore } from "../storage/stores/sqlite/index.ts"
import { finish, newJob, wordsOf } from "../storage/stores/testing/fixtures.ts"
import { createStageRunner } from "./run-stage.ts"

const words = wordsOf("one two three")
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
    await store.close()
    await rm(folder, { recursive: true })
  })

  const createRunner = (stages: Partial<StageStore>, { maxDeferMs = 60_000, leaseMs = 2_000 } = {}) =>
    createStageRunner({
      store: { ...store, stages: { ...store.stages, ...stages } },
      engines: {
        getTopicModel: async () => ({ ...createBuiltinTopicModel(), model: "gemma" }),
        releaseModel: async (model) => void evicted.push(model),
      } as Partial<Engines> as Engines,
      openSource: () => Promise.reject(new Error("the source must not be opened")),
      log: createLogger("silent", "test"),
      owner: "worker",
      host: "host",
      leaseMs,
      heartbeatMs: leaseMs / 4,
      maxDeferMs,
      gpus: null,
    })

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
})
