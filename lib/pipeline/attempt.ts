import { AppError, messageOf } from "../domain/errors.ts"
import type { Logger } from "../platform/logger.ts"
import type { Claim, StageStore } from "../storage/stores/ports/stages.ts"
import { keepLease, type LeaseLoss } from "./lease.ts"
import type { ReportProgress } from "./stage.ts"
import { throttleProgress } from "./throttle.ts"

/** How long an aborted stage may take to end before it is left to itself: one that hangs must not keep its place. */
const GRACE_MS = 10_000

/** Why a stage was stopped from outside; `shutdown`: its process ends. */
export type Stopped = { readonly why: LeaseLoss | "timeout" | "shutdown" }

export type AttemptRequest = {
  readonly stages: Pick<StageStore, "renewLease" | "reportProgress">
  readonly claim: Claim
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly timeoutMs: number
  readonly graceMs?: number
  readonly log: Logger
  readonly perform: (p: {
    signal: AbortSignal
    progress: ReportProgress
    /** Keeps waiting that is not the stage's fault out of its time limit. */
    untimed: <T>(waiting: Promise<T>) => Promise<T>
  }) => Promise<unknown>
}

/** A stage's own code at work, under its lease and its time limit. */
export type Attempt = {
  /**
   * The result, or why it was stopped; throws what the stage throws. A stage that has its result ready when it is
   * stopped returns it: whether it still counts is for the claim to say.
   */
  readonly ended: Promise<{ readonly output: unknown } | Stopped>
  stop(stopped: Stopped): void
}

export const startAttempt = (p: AttemptRequest): Attempt => {
  const { stages, claim, log, graceMs = GRACE_MS } = p
  const abort = new AbortController()
  let stopped: Stopped | null = null
  let grace: NodeJS.Timeout | undefined
  let leave: (stopped: Stopped) => void = () => {}
  const left = new Promise<Stopped>((resolve) => {
    leave = resolve
  })
  const stop = (reason: Stopped): void => {
    if (stopped) return
    stopped = reason
    abort.abort(new AppError("unavailable", `stopped: ${reason.why}`))
    grace = setTimeout(() => {
      log.error({ ...reason }, "the stage does not end although it was aborted; it is left to itself")
      leave(reason)
    }, graceMs)
  }

  let over = false
  let leftMs = p.timeoutMs
  let runsFrom = Date.now()
  let limit: NodeJS.Timeout | undefined
  const runTimer = (): void => {
    runsFrom = Date.now()
    limit = setTimeout(stop, leftMs, { why: "timeout" })
  }
  const untimed = async <T>(waiting: Promise<T>): Promise<T> => {
    clearTimeout(limit)
    leftMs -= Date.now() - runsFrom
    return waiting.finally(() => {
      if (!over) runTimer()
    })
  }
  runTimer()
  const endLease = keepLease({ ...p, onLoss: (why) => stop({ why }) })
  const progress = throttleProgress(
    claim.stage,
    (report) => stages.reportProgress(claim, report),
    (error) => log.warn({ detail: messageOf(error) }, "progress not written"),
  )
  const work = async (): Promise<{ output: unknown } | Stopped> => {
    try {
      return { output: await p.perform({ signal: abort.signal, progress: progress.report, untimed }) }
    } catch (error) {
      if (stopped) return stopped
      throw error
    }
  }
  const ended = Promise.race([work(), left]).finally(async () => {
    over = true
    clearTimeout(limit)
    clearTimeout(grace)
    await endLease()
    await progress.end()
  })
  return { ended, stop }
}
