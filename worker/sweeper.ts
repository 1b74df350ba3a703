import type { Engines } from "../lib/engines/types.ts"
import { evictModels } from "../lib/pipeline/evict.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { SweepOptions } from "../lib/storage/stores/ports/stages.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

/** Periodically requeues stages whose lease has expired, and evicts unused language models. */
export const startSweeper = ({
  store,
  engines,
  log,
  ...options
}: SweepOptions & {
  readonly store: Pick<Store, "stages" | "resources">
  readonly engines: Pick<Engines, "releaseModel">
  readonly log: Logger
}): RepeatedTask =>
  repeat("sweeper", options.intervalMs, log, async () => {
    const found = await store.stages.sweep(options)
    if (found.requeued || found.failed) log.warn(found, "recovered stages of dead workers")
    await evictModels(store.resources, engines, log)
  })
