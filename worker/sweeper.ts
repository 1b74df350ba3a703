import type { Engines } from "../lib/engines/types.ts"
import { evictModels } from "../lib/pipeline/evict.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

/**
 * Periodically requeues stages whose lease has expired, evicts unused language models, and prepares search and map, so that the
 * first request after many new recordings is fast.
 */
export const startSweeper = (p: {
  readonly store: Pick<Store, "stages" | "resources" | "library">
  readonly engines: Pick<Engines, "releaseModel">
  readonly everyMs: number
  readonly log: Logger
}): RepeatedTask =>
  repeat("sweeper", p.everyMs, p.log, async () => {
    const found = await p.store.stages.sweep()
    if (found.requeued || found.failed) p.log.warn(found, "recovered stages of dead workers")
    await evictModels(p.store.resources, p.engines, p.log)
    await p.store.library.prepare()
  })
