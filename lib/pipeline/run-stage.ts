import type { StageName } from "../contracts/stages.ts"
import { STATE_KEY } from "../contracts/state.ts"
import { AppError, messageOf } from "../errors.ts"
import type { Logger } from "../logger.ts"
import type { Engines } from "../services/deps.ts"
import type { OpenSource } from "../sources/types.ts"
import type { Claim, JobSnapshot, StageFailure, StageResult, Store } from "../store/types.ts"
import { evictModels } from "./evict.ts"
import { failureOf } from "./failure.ts"
import { keepLease, type LeaseLoss } from "./lease.ts"
import type { StageContext } from "./stage.ts"
import { STAGES } from "./stages/index.ts"
import { throttleProgress } from "./throttle.ts"

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
}

export type StageRunner = {
  /** claim → run → commit for one message. Throws only when the store cannot be written. */
  run(jobId: string, stage: StageName): Promise<Outcome>
  /** Aborts what runs; each stage goes back to its queue, uncharged. */
  abort(): void
  readonly inHand: () => number
  /** Milliseconds since the epoch at which a stage was claimed or ended here; null: never. */
  readonly activeAt: () => number | null
}

type Stopped = { readonly why: LeaseLoss | "timeout" | "shutdown" }

const minutes = (ms: number): string => `${Math.round(ms / 60_000)} minutes`

/** Runs stages for a worker process. Every write carries the claim's attempt, so a late one changes nothing. */
export const createStageRunner = (deps: RunnerDeps): StageRunner => {
  const { store, engines, openSource, owner, host, leaseMs, heartbeatMs } = deps
  const inHand = new Set<{ jobId: string; stop: (stopped: Stopped) => void }>()
  let activeAt: number | null = null

  const modelsOf = ({ jobId, options }: JobSnapshot, stage: StageName): StageContext["models"] => ({
    embedder: () => engines.embedder(),
    topics: async () => {
      const topics = await engines.topicsFor(options)
      // persist only asks for names: it loads no language model.
      if (topics.model !== null && stage in STATE_KEY) await store.holdModel({ jobId, model: topics.model })
      return topics
    },
  })

  /** Runs the stage's own code under its lease and time limit. @returns its result, or why it was stopped */
  const attempt = async (claim: Claim, job: JobSnapshot, log: Logger): Promise<{ output: unknown } | Stopped> => {
    const stage = STAGES[claim.stage]
    const abort = new AbortController()
    let stopped: Stopped | null = null
    const stop = (reason: Stopped): void => {
      stopped ??= reason
      abort.abort(new AppError("unavailable", `stopped: ${reason.why}`))
    }
    const entry = { jobId: claim.jobId, stop }
    inHand.add(entry)
    const limit = setTimeout(stop, stage.timeoutMs, { why: "timeout" })
    const endLease = keepLease({ store, claim, leaseMs, heartbeatMs, log, onLoss: (why) => stop({ why }) })
    const progress = throttleProgress(
      claim.stage,
      (p) => store.reportProgress(claim, p),
      (error) => log.warn({ detail: messageOf(error) }, "progress not written"),
    )
    try {
      const output = await stage.perform(job, {
        signal: abort.signal,
        log,
        openSource,
        speech: engines.speech,
        models: modelsOf(job, claim.stage),
        progress: progress.report,
      })
      // Stopped or not, the result is there; whether it still counts is for the claim to say.
      return { output }
    } catch (error) {
      if (stopped) return stopped
      throw error
    } finally {
      clearTimeout(limit)
      inHand.delete(entry)
      await endLease()
      await progress.end()
    }
  }

  const fail = async (claim: Claim, failure: StageFailure, log: Logger): Promise<Outcome> => {
    const outcome = await store.failStage(claim, failure)
    log[failure.kind === "later" ? "info" : "warn"]({ ...failure, outcome }, "stage not finished")
    if (outcome === "error")
      for (const other of inHand) if (other.jobId === claim.jobId) other.stop({ why: "cancelled" })
    return outcome === "fenced" ? "dropped" : outcome
  }

  const settle = async (claim: Claim, job: JobSnapshot, log: Logger): Promise<Outcome> => {
    const { retry, timeoutMs } = STAGES[claim.stage]
    try {
      const ran = await attempt(claim, job, log)
      if ("output" in ran) {
        const result = { stage: claim.stage, output: ran.output } as StageResult
        return (await store.completeStage(claim, result)) ? "done" : "dropped"
      }
      if (ran.why === "timeout")
        throw new AppError("unavailable", `the stage took longer than ${minutes(timeoutMs)}`, { retry: "retry" })
      // Also where the claim no longer holds: so the store learns that nobody is at work on it any more.
      return await fail(claim, { kind: "later", detail: `stopped: ${ran.why}`, retryInMs: 0 }, log)
    } catch (error) {
      return await fail(claim, failureOf(error, retry, claim.tries), log)
    }
  }

  return {
    run: async (jobId, stage) => {
      const claimed = await store.claimStage({ jobId, stage, owner, host, leaseMs })
      if (!claimed.claim) return claimed.why
      const { claim, job } = claimed
      const log = deps.log.child({ job_id: jobId, stage, attempt: claim.attempt })
      const startedAt = Date.now()
      activeAt = startedAt
      log.info("stage begins")
      const outcome = await settle(claim, job, log)
      activeAt = Date.now()
      log.info({ outcome, ms: activeAt - startedAt }, "stage ends")
      await evictModels(store, engines, log)
      return outcome
    },
    abort: () => {
      for (const entry of inHand) entry.stop({ why: "shutdown" })
    },
    inHand: () => inHand.size,
    activeAt: () => activeAt,
  }
}
