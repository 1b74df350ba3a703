import type { Logger } from "../lib/platform/logger.ts"
import type { Broker } from "../lib/queue/types.ts"
import type { OutboxStore } from "../lib/storage/stores/ports/outbox.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

const POLL_MS = 50
/** The interval if the database sends notifications. Polling still finds deferred rows and missed notifications. */
const NOTIFIED_POLL_MS = 500
const BATCH = 100
const LEASE = "relay"
const MAX_RELAY_LEASE_MS = 5_000

/**
 * Publishes outbox rows and marks them once the broker has confirmed them. A crash in between publishes a message twice, which
 * is harmless. Every worker runs a relay, but only the lease holder is active, and it renews the lease well before expiry. A
 * relay that cannot reach the broker releases the lease for a while, so that a worker on another host can take over.
 */
export const startRelay = (p: {
  readonly outbox: OutboxStore
  readonly broker: Pick<Broker, "publish">
  readonly owner: string
  /** The duration of stage leases. The relay's own lease is shorter, so that a dead relay does not delay recovery. */
  readonly leaseMs: number
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { outbox, broker, owner, log } = p
  const ttlMs = Math.min(p.leaseMs / 2, MAX_RELAY_LEASE_MS)
  let active = false
  let nextRenewalAt = 0

  const isActive = async (): Promise<boolean> => {
    // Monotonic, because the wall clock may be set back.
    const now = performance.now()
    if (now >= nextRenewalAt) {
      active = false
      active = await outbox.acquireLease({ name: LEASE, owner, ttlMs })
      nextRenewalAt = now + ttlMs / 3
    }
    return active
  }
  const releaseAndThrow = async (failure: unknown): Promise<never> => {
    active = false
    nextRenewalAt = performance.now() + ttlMs
    await outbox.releaseLease({ name: LEASE, owner })
    throw failure
  }
  const publishDue = async (): Promise<void> => {
    if (!(await isActive())) return
    for (;;) {
      const due = await outbox.listDue(BATCH)
      if (due.length === 0) return
      await broker.publish(due).catch(releaseAndThrow)
      await outbox.markPublished(due.map((m) => m.id))
      if (due.length < BATCH) return
    }
  }

  const unwatch = outbox.watch(() => loop.runNow())
  const loop: RepeatedTask = repeat("relay", unwatch ? NOTIFIED_POLL_MS : POLL_MS, log, publishDue)
  return {
    stop: async () => {
      unwatch?.()
      nextRenewalAt = 0
      await loop.finish()
      await outbox.releaseLease({ name: LEASE, owner })
    },
  }
}
