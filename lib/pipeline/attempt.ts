import { AppError, messageOf } from "../domain/errors.ts"
import type { Logger } from "../platform/logger.ts"
import type { Claim, StageStore } from "../storage/stores/ports/stages.ts"
import { keepLease, type LeaseLoss } from "./lease.ts"
import { batchLiveWords } from "./live-words.ts"
import type { ReportProgress, StageContext } from "./stage.ts"
import { throttleProgress } from "./throttle.ts"

/** How long an aborted stage may take to stop before it is abandoned. A stage that hangs must not block the worker. */
const ABORT_GRACE_MS = 10_000

/** Why a stage was stopped. `shutdown`: the worker process is ending. */
export type Stopped = { readonly why: LeaseLoss | "timeout" | "shutdown" }

export type AttemptRequest = {
  readonly stages: Pick<StageStore, "renewLease" | "reportProgress" | "addLiveWords">
  readonly claim: Claim
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly timeoutMs: number
  readonly abortGraceMs?: number
  readonly log: Logger
  readonly perform: (p: {
    signal: AbortSignal
    progress: ReportProgress
    showWords: StageContext["showWords"]
    /** Excludes a wait that the stage cannot influence from its timeout. */
    untimed: <T>(waiting: Promise<T>) => Promise<T>
  }) => Promise<unknown>
}

/** A running stage, with its lease and its timeout. */
export type Attempt = {
  /**
   * Resolves to the output or the reason for stopping, and rejects with the error of the stage. A stage that finishes while
   * it is being stopped still resolves to its output. The claim decides whether the output is accepted.
   */
  readonly ended: Promise<{ readonly output: unknown } | Stopped>
  /** Stops the stage. Has no effect if it has ended. */
  stop(stopped: Stopped): void
  /** Stops renewing the lease. Call it when the end of the stage is recorded. */
  close(): Promise<void>
}

export const startAttempt = (p: AttemptRequest): Attempt => {
  const { stages, claim, log, abortGraceMs = ABORT_GRACE_MS } = p
  const abort = new AbortController()
  let stopped: Stopped | null = null
  let hasEnded = false
  let grace: NodeJS.Timeout | undefined
  let abandon: (stopped: Stopped) => void = () => {}
  const abandoned = new Promise<Stopped>((resolve) => {
    abandon = resolve
  })
  const stop = (reason: Stopped): void => {
    if (stopped || hasEnded) return
    stopped = reason
    abort.abort(new AppError("unavailable", `stopped: ${reason.why}`))
    grace = setTimeout(() => {
      log.error({ ...reason }, "stage did not stop after abort; abandoning it")
      abandon(reason)
    }, abortGraceMs)
  }

  let remainingMs = p.timeoutMs
  let runningSince = Date.now()
  let timeout: NodeJS.Timeout | undefined
  const runTimer = (): void => {
    runningSince = Date.now()
    timeout = setTimeout(stop, remainingMs, { why: "timeout" })
  }
  const untimed = async <T>(waiting: Promise<T>): Promise<T> => {
    clearTimeout(timeout)
    remainingMs -= Date.now() - runningSince
    return waiting.finally(() => {
      if (!hasEnded) runTimer()
    })
  }
  runTimer()
  const endLease = keepLease({ ...p, onLoss: (why) => stop({ why }) })
  const progress = throttleProgress(
    claim.stage,
    (report) => stages.reportProgress(claim, report),
    (error) => log.warn({ detail: messageOf(error) }, "failed to record progress"),
  )
  const liveWords = batchLiveWords(
    (batch, words) => stages.addLiveWords(claim, batch, words),
    (error) => log.warn({ detail: messageOf(error) }, "failed to record recognized words"),
  )
  const work = async (): Promise<{ output: unknown } | Stopped> => {
    try {
      return {
        output: await p.perform({ signal: abort.signal, progress: progress.report, showWords: liveWords.add, untimed }),
      }
    } catch (error) {
      if (stopped) return stopped
      throw error
    }
  }
  const ended = Promise.race([work(), abandoned]).finally(async () => {
    hasEnded = true
    clearTimeout(timeout)
    clearTimeout(grace)
    await Promise.all([progress.end(), liveWords.end()])
  })
  return { ended, stop, close: endLease }
}
