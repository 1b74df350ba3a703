import { messageOf } from "../lib/domain/errors.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { Deps } from "../lib/services/deps.ts"
import { hasOutdatedDocuments, indexLibrary } from "../lib/services/documents/index-documents.ts"
import { finishChange } from "../lib/services/embedding/embedder-change.ts"
import { getPendingChange } from "../lib/services/embedding/pending-change.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

/** Only one worker embeds at a time. After a failure another attempt follows once the lease has ended. */
const LEASE = { name: "embedder change", ttlMs: 60_000 }
const RENEWAL_MS = LEASE.ttlMs / 3

/**
 * Carries out a change of the embedder that somebody has asked for, in the background. Also embeds documents that have
 * vectors of an earlier embedder.
 */
export const startEmbedderChange = (p: {
  readonly deps: Pick<Deps, "engines" | "index" | "config" | "log">
  readonly store: Store
  readonly owner: string
  readonly intervalMs: number
  readonly log: Logger
}): Pick<RepeatedTask, "stop"> => {
  const { deps, store, owner, intervalMs, log } = p
  const stopping = new AbortController()
  const lease = { ...LEASE, owner }
  const task = repeat("changing the embedder", intervalMs, log, async () => {
    const change = await getPendingChange(store)
    if (!change && !(await hasOutdatedDocuments({ ...deps, store }))) return
    if (!(await store.outbox.acquireLease(lease))) return
    const renewal = setInterval(() => void store.outbox.acquireLease(lease).catch(() => {}), RENEWAL_MS)
    try {
      if (change) {
        log.info({ embedder: change.value }, "embedding the library with another model")
        if (!(await finishChange({ ...deps, store }, stopping.signal))) return
        log.info({ embedder: change.value }, "the embedder has changed")
      }
      await indexLibrary({ ...deps, store }, await deps.engines.getEmbedder(), stopping.signal)
      await store.outbox.releaseLease(lease)
    } catch (error) {
      if (stopping.signal.aborted) return store.outbox.releaseLease(lease)
      if (change) await store.installation.setChoice("next_embedder", { value: change.value, reason: messageOf(error) })
      throw error
    } finally {
      clearInterval(renewal)
    }
  })
  return {
    stop: () => {
      stopping.abort()
      return task.stop()
    },
  }
}
