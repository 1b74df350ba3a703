import type { Engines } from "../lib/engines/types.ts"
import { evictModels } from "../lib/pipeline/evict.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { type Repeating, repeat } from "./repeat.ts"

/**
 * Takes up what dead workers left: stages whose lease is over, and language models that nobody uses any more. And prepares
 * search and map, so that the first who looks for something after many recordings does not wait.
 */
export const startSweeper = (p: {
  readonly store: Pick<Store, "stages" | "resources" | "library">
  readonly engines: Pick<Engines, "release">
  readonly everyMs: number
  readonly log: Logger
}): Repeating =>
  repeat("sweeper", p.everyMs, p.log, async () => {
    const found = await p.store.stages.sweep()
    if (found.requeued || found.failed) p.log.warn(found, "stages left by a worker that is gone")
    await evictModels(p.store.resources, p.engines, p.log)
    await p.store.library.prepare()
  })
