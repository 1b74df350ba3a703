import { AppError } from "../domain/errors.ts"
import { STATE_KEY } from "../domain/jobs/job-state.ts"
import { STAGE_TABLE } from "../domain/jobs/stage-table.ts"
import type { StageName, TraceContext } from "../domain/jobs/stages.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import { noTelemetry } from "../platform/telemetry/none.ts"
import type { Telemetry } from "../platform/telemetry/types.ts"
import type { OpenSource } from "../sources/types.ts"
import type { Claim, JobSnapshot, StageFailure, StageResult } from "../storage/stores/ports/stages.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import { type Attempt, startAttempt } from "./attempt.ts"
import { evictModels } from "./evict.ts"
import { toStageFailure } from "./failure.ts"
import { createGpuSlot, type GpuHosts, type GpuSlot } from "./gpu.ts"
import { isOutage, retryDuringOutage } from "./retry-during-outage.ts"
import type { StageContext, StageOutcome } from "./stage.ts"
import { runInStageSpan } from "./stage-span.ts"
import { STAGES } from "./stages/index.ts"

export type RunnerDeps = {
  readonly store: Store
  readonly engines: Engines
  readonly openSource: OpenSource
  readonly log: Logger
  /** The unique ID of this worker process. */
  readonly owner: string
  readonly host: string
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** For how long a stage may be deferred, and a finished stage may wait until the store accepts its result. */
  readonly maxDeferMs: number
  /** The hosts on which speech and language models take turns on the GPU. */
  readonly gpus: GpuHosts
  readonly telemetry?: Telemetry
}

export type RunOptions = {
  /** True if the stage must run alone, because its last worker crashed. */
  readonly alone: boolean
  /** The attempt that the message requests. */
  readonly attempt?: number
  /** The trace of the job. */
  readonly trace?: TraceContext | undefined
}

export type StageRunner = {
  /** Claims, runs and commits the stage of one message. Throws only if the store cannot be written. */
  run(jobId: string, stage: StageName, options?: RunOptions): Promise<StageOutcome>
  /** Aborts all stages in flight. They return to their queues without using an attempt. */
  abort(): void
  readonly inFlightCount: () => number
  /** The time of the last claim or end of a stage, in Unix milliseconds. Null if there was none. */
  readonly activeAt: () => number | null
}

/** Runs stages for a worker process. Every write carries the attempt as a fencing token, so that late writes have no effect. */
export const createStageRunner = (deps: RunnerDeps): StageRunner => {
  const { store, engines, openSource, owner, host, leaseMs, heartbeatMs, maxDeferMs, gpus } = deps
  const { telemetry = noTelemetry } = deps
  const inFlight = new Map<Attempt, Claim>()
  let activeAt: number | null = null
  let isAborted = false

  const createSpeech = (gpuSlot: GpuSlot): StageContext["speech"] => ({
    pick: async (choice) => {
      const engine = await engines.speech.pick(choice)
      if (engine.usesGpu) await gpuSlot.acquire("speech")
      return engine
    },
    embedSpeakers: (request) => engines.speech.embedSpeakers(request),
  })

  const createModels = (
    { jobId, options }: JobSnapshot,
    stage: StageName,
    gpuSlot: GpuSlot,
    signal: AbortSignal,
  ): StageContext["models"] => ({
    embedder: () => engines.getEmbedder(),
    topics: async () => {
      const topics = await engines.getTopicModel(options)
      const { provider, model } = topics
      // persist only reads the names of the models and loads none.
      if (model === null || !(stage in STATE_KEY)) return topics
      await gpuSlot.acquire(provider === "openai" ? "openai" : "ollama")
      // OpenAI-compatible servers do not unload models.
      if (provider !== "openai")
        await retryDuringOutage(() => store.resources.holdModel({ jobId, model }), leaseMs, { signal })
      return topics
    },
  })

  const startStage = (claim: Claim, job: JobSnapshot, log: Logger): Attempt => {
    const { timeoutMs } = STAGE_TABLE[claim.stage]
    const attempt = startAttempt({
      stages: store.stages,
      claim,
      leaseMs,
      heartbeatMs,
      timeoutMs,
      log,
      perform: async ({ untimed, ...given }) => {
        const gpuSlot = createGpuSlot({ resources: store.resources, claim, gpus, signal: given.signal, untimed, log })
        const speech = createSpeech(gpuSlot)
        const models = createModels(job, claim.stage, gpuSlot, given.signal)
        try {
          return await STAGES[claim.stage].perform(job, { log, openSource, speech, models, ...given })
        } finally {
          await gpuSlot.release()
        }
      },
    })
    inFlight.set(attempt, claim)
    // The claim may have been written while the worker was told to stop.
    if (isAborted) attempt.stop({ why: "shutdown" })
    return attempt
  }

  const fail = async (claim: Claim, failure: StageFailure, log: Logger): Promise<StageOutcome> => {
    const outcome = await retryDuringOutage(() => store.stages.fail(claim, failure), maxDeferMs)
    log[failure.kind === "later" ? "info" : "warn"]({ ...failure, outcome }, "stage did not finish")
    if (outcome === "error")
      for (const [attempt, other] of inFlight) if (other.jobId === claim.jobId) attempt.stop({ why: "cancelled" })
    return outcome === "fenced" ? "dropped" : outcome
  }

  /** Shows on the job that a finished stage waits for the store, as far as the store can still be written. */
  const showOutage = async (claim: Claim, { message }: AppError, log: Logger): Promise<void> => {
    log.warn({ detail: message }, "keeping the result of the stage until the store accepts it")
    const until = new Date(Date.now() + maxDeferMs).toISOString()
    const progress = { stage: claim.stage, done: 0, total: 0, waiting: { reason: message, until } }
    await store.stages.reportProgress(claim, progress).catch(() => undefined)
  }

  const complete = async (claim: Claim, output: unknown, log: Logger): Promise<StageOutcome> => {
    const result = { stage: claim.stage, output } as StageResult
    const write = () => store.stages.complete(claim, result)
    const onOutage = (error: AppError) => showOutage(claim, error, log)
    try {
      return (await retryDuringOutage(write, maxDeferMs, { onOutage })) ? "done" : "dropped"
    } catch (error) {
      if (!isOutage(error)) throw error
      // Another attempt would only repeat the work and wait again.
      throw new AppError(error.code, `The result of the stage could not be stored. ${error.message}`, { cause: error })
    }
  }

  const recordEnd = async (
    attempt: Attempt,
    claim: Claim,
    log: Logger,
    onFailure: (error: unknown) => void,
  ): Promise<StageOutcome> => {
    const { backoffMs, timeoutMs } = STAGE_TABLE[claim.stage]
    try {
      const ended = await attempt.ended.finally(() => inFlight.delete(attempt))
      if ("output" in ended) return await complete(claim, ended.output, log)
      if (ended.why === "timeout")
        throw new AppError(
          "unavailable",
          `The stage ran longer than its limit of ${Math.round(timeoutMs / 60_000)} minutes.`,
          {
            retry: "retry",
          },
        )
      // Also reported if the claim was lost, so that the store knows that the work has stopped.
      return await fail(claim, { kind: "later", detail: `stopped: ${ended.why}`, retryInMs: 0 }, log)
    } catch (error) {
      onFailure(error)
      return await fail(claim, { ...toStageFailure(error, backoffMs, claim.tries), maxDeferMs }, log)
    }
  }

  /** Runs a claimed stage. The lease is renewed until its end is recorded, which an outage may delay. */
  const runClaimed = async (
    claim: Claim,
    job: JobSnapshot,
    log: Logger,
    onFailure: (error: unknown) => void,
  ): Promise<StageOutcome> => {
    const attempt = startStage(claim, job, log)
    try {
      return await recordEnd(attempt, claim, log, onFailure)
    } finally {
      await attempt.close()
    }
  }

  return {
    run: async (jobId, stage, { alone, attempt, trace } = { alone: true }) => {
      const request = { jobId, stage, owner, host, leaseMs, alone, ...(attempt !== undefined && { attempt }) }
      const claimed = await store.stages.claim(request)
      if (!claimed.claim) return claimed.why
      const { claim, job } = claimed
      const log = deps.log.child({ job_id: jobId, stage, attempt: claim.attempt })
      const startedAt = Date.now()
      activeAt = startedAt
      log.info("stage started")
      const outcome = await runInStageSpan(telemetry, claim, trace, (onFailure) =>
        runClaimed(claim, job, log, onFailure),
      )
      activeAt = Date.now()
      log.info({ outcome, ms: activeAt - startedAt }, "stage ended")
      await evictModels(store.resources, engines, log)
      return outcome
    },
    abort: () => {
      isAborted = true
      for (const attempt of inFlight.keys()) attempt.stop({ why: "shutdown" })
    },
    inFlightCount: () => inFlight.size,
    activeAt: () => activeAt,
  }
}
