import { messageOf } from "../errors.ts"
import type { Logger } from "../logger.ts"
import type { Claim, Store } from "../store/types.ts"

export type LeaseLoss = "lost" | "cancelled"

/**
 * Keeps a claim alive by a timer and tells once when it no longer holds. A store that cannot be reached is asked again
 * until the lease would be over by this process's clock: then the claim counts as lost.
 * @returns ends the keeping; resolves when no heartbeat is on its way
 */
export const keepLease = (p: {
  readonly store: Pick<Store, "heartbeat">
  readonly claim: Claim
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly log: Logger
  readonly onLoss: (why: LeaseLoss) => void
}): (() => Promise<void>) => {
  let heldUntil = Date.now() + p.leaseMs
  let ended = false
  let timer: NodeJS.Timeout
  let beating = Promise.resolve()

  const beat = async (): Promise<void> => {
    const sentAt = Date.now()
    try {
      const state = await p.store.heartbeat(p.claim, p.leaseMs)
      if (ended) return
      if (state !== "held") return p.onLoss(state)
      heldUntil = sentAt + p.leaseMs
    } catch (error) {
      p.log.warn({ detail: messageOf(error) }, "heartbeat not written")
      if (!ended && Date.now() >= heldUntil) return p.onLoss("lost")
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
