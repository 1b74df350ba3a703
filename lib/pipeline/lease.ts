import { messageOf } from "../domain/errors.ts"
import type { Logger } from "../platform/logger.ts"
import type { Claim, StageStore } from "../storage/stores/ports/stages.ts"

export type LeaseLoss = "lost" | "cancelled"

/** Rejects after `ms`, because a request over a broken network may stay pending for a long time. */
const withTimeout = async <T>(request: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The store did not respond in time.")), ms)
  })
  return Promise.race([request, timeout]).finally(() => clearTimeout(timer))
}

/**
 * Renews the lease of a claim periodically and calls `onLoss` once if the store reports that the claim is lost. While the
 * store does not respond it tries again, even after the lease has expired: nobody can take over the stage without the
 * store, and the fencing token rejects late writes if somebody has.
 * @returns a function that stops renewing and resolves when no heartbeat is in flight
 */
export const keepLease = (p: {
  readonly stages: Pick<StageStore, "renewLease">
  readonly claim: Claim
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly log: Logger
  readonly onLoss: (why: LeaseLoss) => void
}): (() => Promise<void>) => {
  let hasEnded = false
  let timer: NodeJS.Timeout
  let inFlight = Promise.resolve()

  const renew = async (): Promise<void> => {
    try {
      const state = await withTimeout(p.stages.renewLease(p.claim, p.leaseMs), p.leaseMs)
      if (hasEnded) return
      if (state !== "held") return p.onLoss(state)
    } catch (error) {
      p.log.warn({ detail: messageOf(error) }, "failed to renew the lease")
    }
    if (!hasEnded) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      inFlight = renew()
    }, p.heartbeatMs)
  }
  schedule()
  return async () => {
    hasEnded = true
    clearTimeout(timer)
    await inFlight
  }
}
