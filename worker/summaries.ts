import type { Logger } from "../lib/platform/logger.ts"
import { SUMMARY_LEASE_MS } from "../lib/services/summaries/make-summary.ts"
import type { SummaryClaim, SummaryStore } from "../lib/storage/stores/ports/summaries.ts"
import { repeat } from "./repeat.ts"

const POLL_MS = 500
/** Summaries that one worker makes at the same time. */
const MAX_CONCURRENT = 2

/**
 * Makes the summaries that were requested. Every worker does; a lease makes sure that each is made by one of them, and again
 * only if that one died.
 */
export const startSummaries = (p: {
  readonly store: Pick<SummaryStore, "hasDue" | "claimDue">
  readonly make: (claim: SummaryClaim, signal: AbortSignal) => Promise<void>
  readonly owner: string
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { store, make, owner, log } = p
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const claimNext = async (): Promise<void> => {
    while (running.size < MAX_CONCURRENT && !stopping.signal.aborted && (await store.hasDue())) {
      const claim = await store.claimDue({ owner, leaseMs: SUMMARY_LEASE_MS })
      if (claim === null) return
      // Without a recorded end it is made again when its lease has expired.
      const made = make(claim, stopping.signal)
        .catch((err: unknown) => log.warn({ err, clip: claim.clipId }, "the end of a summary was not recorded"))
        .finally(() => {
          running.delete(made)
          loop.runNow()
        })
      running.add(made)
    }
  }
  const loop = repeat("making summaries", POLL_MS, log, claimNext)
  return {
    stop: async () => {
      stopping.abort()
      await loop.stop()
      await Promise.all(running)
    },
  }
}
