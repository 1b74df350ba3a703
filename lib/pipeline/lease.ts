import { messageOf } from "../domain/errors.ts"
import type { Logger } from "../platform/logger.ts"
import type { Claim, StageStore } from "../storage/stores/ports/stages.ts"

export type LeaseLoss = "lost" | "cancelled"

/** Rejects after `ms`: a network that swallows packets leaves a question open for long. */
const answered = async <T>(question: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store does not answer")), Math.max(0, ms))
  })
  return Promise.race([question, late]).finally(() => clearTimeout(timer))
}

/**
 * Keeps a claim alive by a timer and tells once when it no longer holds. A store that cannot be reached, or does not
 * answer, is asked again until the lease would be over by this process's clock: then the claim counts as lost.
 * @returns ends the keeping; resolves when no heartbeat is on its way
 */
export const keepLease = (p: {
  readonly stages: Pick<StageStore, "renewLease">
  readonly claim: Claim
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly log: Logger
  readonly onLoss: (why: LeaseLoss) => void
}): (() => Promise<void>) => {
  let heldUntil = performance.now() + p.leaseMs
  let ended = false
  let timer: NodeJS.Timeout
  let beating = Promise.resolve()

  const beat = async (): Promise<void> => {
    const sentAt = performance.now()
    try {
      const state = await answered(p.stages.renewLease(p.claim, p.leaseMs), heldUntil - sentAt)
      if (ended) return
      if (state !== "held") return p.onLoss(state)
      heldUntil = sentAt + p.leaseMs
    } catch (error) {
      p.log.warn({ detail: messageOf(error) }, "heartbeat not written")
      if (!ended && performance.now() >= heldUntil) return p.onLoss("lost")
    }
    if (!ended) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      beating = beat()
    }, p.heartbeatMs)
  }
  schedule()
  return async () => {
    ended = true
    clearTimeout(timer)
    await beating
  }
}
