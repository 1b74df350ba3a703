import { AppError } from "../domain/errors.ts"
import { STATE_KEY } from "../domain/jobs/job-state.ts"
import { STAGE_TABLE } from "../domain/jobs/stage-table.ts"
import type { StageName } from "../domain/jobs/stages.ts"
import type { TraceContext } from "../domain/jobs/trace.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import { noTelemetry } from "../platform/telemetry/none.ts"
import type { Telemetry } from "../platform/telemetry/types.ts"
import type { OpenSource } from "../sources/types.ts"
import type { Claim, JobSnapshot, StageFailure, StageResult } from "../storage/stores/ports/stages.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { type Attempt, startAttempt } from "./attempt.ts"
import { evictModels } from "./evict.ts"
import { failureOf } from "./failure.ts"
import { createGpuPlace, type GpuPlace, type Gpus } from "./gpu.ts"
import { retryUntil } from "./retry-until.ts"
import type { StageContext } from "./stage.ts"
import { inStageSpan } from "./stage-span.ts"
import { STAGES } from "./stages/index.ts"

/** What became of one message. `dropped`: the claim was lost or the job ended meanwhile, and nothing was written. */
export type Outcome = "done" | "queued" | "error" | "dropped" | "duplicate" | "unknown"

export type RunnerDeps = {
  readonly store: Store
  readonly engines: Engines
  readonly openSource: OpenSource
  readonly log: Logger
  /** The process that claims: unique among all. */
  readonly owner: string
  readonly host: string
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** Where speech and language models take turns. */
  readonly gpus: Gpus
  readonly telemetry?: Telemetry
}

/** How a message wants its stage run. `alone` false: beside others. `trace`: what it is part of. */
export type RunOptions = { readonly alone: boolean; readonly trace?: TraceContext | undefined }

export type StageRunner = {
  /** claim → run → commit for one message. Throws only when the store cannot be written. */
  run(jobId: string, stage: StageName, circumstances?: RunOptions): Promise<Outcome>
  /** Aborts what runs; each stage goes back to its queue, uncharged. */
  abort(): void
  readonly inHand: () => number
  /** Milliseconds since the epoch at which a stage was claimed or ended here; null: never. */
  readonly activeAt: () => number | null
}

/** Runs stages for a worker process. Every write carries the claim's attempt, so a late one changes nothing. */
export const createStageRunner = (deps: RunnerDeps): StageRunner => {
  const { store, engines, openSource, owner, host, leaseMs, heartbeatMs, gpus, telemetry = noTelemetry } = deps
  const inHand = new Map<Attempt, Claim>()
  let activeAt: number | null = null

  const speechOf = (place: GpuPlace): StageContext["speech"] => ({
    pick: async (wish) => {
      const engine = await engines.speech.pick(wish)
      if (engine.usesGpu) await place.enter("whisper")
      return engine
    },
  })

  const modelsOf = ({ jobId, options }: JobSnapshot, stage: StageName, place: GpuPlace): StageContext["models"] => ({
    embedder: () => engines.embedder(),
    topics: async () => {
      const topics = await engines.topicsFor(options)
      // persist only asks for names: it loads no language model.
      if (topics.model !== null && stage in STATE_KEY) {
        await place.enter("llm")
        await store.resources.holdModel({ jobId, model: topics.model })
      }
      return topics
    },
  })

  const begin = (claim: Claim, job: JobSnapshot, log: Logger): Attempt => {
    const { timeoutMs } = STAGE_TABLE[claim.stage]
    const attempt = startAttempt({
      stages: store.stages,
      claim,
      leaseMs,
      heartbeatMs,
      timeoutMs,
      log,
      perform: async ({ untimed, ...given }) => {
        const place = createGpuPlace({ resources: store.resources, claim, gpus, signal: given.signal, untimed, log })
        const [speech, models] = [speechOf(place), modelsOf(job, claim.stage, place)]
        try {
          return await STAGES[claim.stage].perform(job, { log, openSource, speech, models, ...given })
        } finally {
          await place.leave()
        }
      },
    })
    inHand.set(attempt, claim)
    return attempt
  }

  const fail = async (claim: Claim, failure: StageFailure, log: Logger): Promise<Outcome> => {
    const outcome = await retryUntil(() => store.stages.fail(claim, failure), leaseMs)
    log[failure.kind === "later" ? "info" : "warn"]({ ...failure, outcome }, "stage not finished")
    if (outcome === "error")
      for (const [attempt, other] of inHand) if (other.jobId === claim.jobId) attempt.stop({ why: "cancelled" })
    return outcome === "fenced" ? "dropped" : outcome
  }

  const settle = async (
    claim: Claim,
    job: JobSnapshot,
    log: Logger,
    failed: (error: unknown) => void,
  ): Promise<Outcome> => {
    const { backoffMs, timeoutMs } = STAGE_TABLE[claim.stage]
    const attempt = begin(claim, job, log)
    try {
      const ended = await attempt.ended.finally(() => inHand.delete(attempt))
      if ("output" in ended) {
        const result = { stage: claim.stage, output: ended.output } as StageResult
        return (await retryUntil(() => store.stages.complete(claim, result), leaseMs)) ? "done" : "dropped"
      }
      if (ended.why === "timeout")
        throw new AppError("unavailable", `the stage took longer than ${Math.round(timeoutMs / 60_000)} minutes`, {
          retry: "retry",
        })
      // Also where the claim no longer holds: so the store learns that nobody is at work on it any more.
      return await fail(claim, { kind: "later", detail: `stopped: ${ended.why}`, retryInMs: 0 }, log)
    } catch (error) {
      failed(error)
      return await fail(claim, failureOf(error, backoffMs, claim.tries), log)
    }
  }

  return {
    run: async (jobId, stage, { alone, trace } = { alone: true }) => {
      const claimed = await store.stages.claim({ jobId, stage, owner, host, leaseMs, alone })
      if (!claimed.claim) return claimed.why
      const { claim, job } = claimed
      const log = deps.log.child({ job_id: jobId, stage, attempt: claim.attempt })
      const startedAt = Date.now()
      activeAt = startedAt
      log.info("stage begins")
      const outcome = await inStageSpan(telemetry, claim, trace, (failed) => settle(claim, job, log, failed))
      activeAt = Date.now()
      log.info({ outcome, ms: activeAt - startedAt }, "stage ends")
      await evictModels(store.resources, engines, log)
      return outcome
    },
    abort: () => {
      for (const attempt of inHand.keys()) attempt.stop({ why: "shutdown" })
    },
    inHand: () => inHand.size,
    activeAt: () => activeAt,
  }
}
