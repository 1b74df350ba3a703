import type { Logger } from "../lib/platform/logger.ts"
import type { Broker } from "../lib/queue/types.ts"
import type { Deps } from "../lib/services/deps.ts"
import { getPendingChange } from "../lib/services/embedding/pending-change.ts"
import { cleanUp } from "../lib/services/maintenance/clean-up.ts"
import { settleDeadLetters } from "../lib/services/maintenance/settle-dead-letters.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { repeat } from "./repeat.ts"

const DEAD_LETTERS_INTERVAL_MS = 10_000
const CLEAN_UP_INTERVAL_MS = 3_600_000
/** Only one worker cleans up at a time. The lease ends before the next run. */
const CLEAN_UP_LEASE = { name: "clean-up", ttlMs: CLEAN_UP_INTERVAL_MS / 2 }
const DEAD_LETTERS_LEASE = { name: "dead letters", ttlMs: DEAD_LETTERS_INTERVAL_MS / 2 }

/** Deletes what the settings no longer keep, measures the tables, and settles dead letters. */
export const startMaintenance = (p: {
  readonly deps: Pick<Deps, "blobs" | "index" | "config">
  readonly store: Store
  readonly broker: Broker
  readonly owner: string
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { store, broker, owner, log, deps } = p
  let isStopping = false
  const { deadLettersMs } = deps.config.retention
  const letters = repeat("settling dead letters", DEAD_LETTERS_INTERVAL_MS, log, async () => {
    if (!(await store.outbox.acquireLease({ ...DEAD_LETTERS_LEASE, owner }))) return
    const settled = await settleDeadLetters(store, broker, deadLettersMs)
    if (settled.dropped > 0 || settled.requeued > 0) log.info(settled, "settled dead letters")
  })
  const rows = repeat("cleaning up", CLEAN_UP_INTERVAL_MS, log, async () => {
    // Vectors that are computed for a change of the embedder are not used yet.
    if ((await getPendingChange(store)) !== null) return
    if (!(await store.outbox.acquireLease({ ...CLEAN_UP_LEASE, owner }))) return
    const removed = await cleanUp({ ...deps, store, log }, () => isStopping)
    if (removed.uploads > 0 || Object.values(removed.rows).some((n) => n > 0)) log.info(removed, "cleaned up")
    if (!isStopping) await store.retention.measureTables()
  })
  return {
    stop: async () => {
      isStopping = true
      await Promise.all([letters.stop(), rows.stop()])
      await Promise.all(
        [CLEAN_UP_LEASE, DEAD_LETTERS_LEASE].map(({ name }) => store.outbox.releaseLease({ name, owner })),
      )
    },
  }
}
