import type { Logger } from "../lib/platform/logger.ts"
import type { Broker } from "../lib/queue/types.ts"
import type { OutboxStore } from "../lib/storage/stores/ports/outbox.ts"
import { type Repeating, repeat } from "./repeat.ts"

const POLL_MS = 50
/** Where the database tells of what is new, a look finds what was put off, or whose word was missed. */
const TOLD_POLL_MS = 500
const BATCH = 100
const LEASE = "relay"
const LONGEST_LEASE_MS = 5_000

/**
 * Hands outbox rows to the broker and marks them when it has them for sure: a crash between the two repeats a message,
 * which is harmless. Every worker runs one; a lease makes one active, and is renewed well before its end. One that does
 * not reach the broker gives the lease up for a while: on another host another may.
 */
export const startRelay = (p: {
  readonly outbox: OutboxStore
  readonly broker: Pick<Broker, "publish">
  readonly owner: string
  /** Leases of stages last this long: the relay's is shorter, so that a dead relay is not what a recovery waits for. */
  readonly leaseMs: number
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { outbox, broker, owner, log } = p
  const ttlMs = Math.min(p.leaseMs / 2, LONGEST_LEASE_MS)
  let active = false
  let askAgainAt = 0

  const isActive = async (): Promise<boolean> => {
    // Not the time of day: that may be set back by an hour.
    const now = performance.now()
    if (now >= askAgainAt) {
      active = false
      active = await outbox.acquireLease({ name: LEASE, owner, ttlMs })
      askAgainAt = now + ttlMs / 3
    }
    return active
  }
  const stepBack = async (failure: unknown): Promise<never> => {
    active = false
    askAgainAt = performance.now() + ttlMs
    await outbox.releaseLease({ name: LEASE, owner })
    throw failure
  }
  const pass = async (): Promise<void> => {
    if (!(await isActive())) return
    for (;;) {
      const due = await outbox.listDue(BATCH)
      if (due.length === 0) return
      await broker.publish(due).catch(stepBack)
      await outbox.markPublished(due.map((m) => m.id))
      if (due.length < BATCH) return
    }
  }

  const unwatch = outbox.watch(() => loop.now())
  const loop: Repeating = repeat("relay", unwatch ? TOLD_POLL_MS : POLL_MS, log, pass)
  return {
    stop: async () => {
      unwatch?.()
      askAgainAt = 0
      await loop.finish()
      await outbox.releaseLease({ name: LEASE, owner })
    },
  }
}
