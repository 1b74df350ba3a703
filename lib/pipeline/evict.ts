import { messageOf } from "../domain/errors.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import type { ResourceStore } from "../storage/stores/ports/resources.ts"

/**
 * Unloads language models that no job uses any more. The store returns each model once, so any process may call this at any
 * time. Never throws: after a failure, the next caller tries again.
 */
export const evictModels = async (
  resources: Pick<ResourceStore, "claimEvictableModels">,
  engines: Pick<Engines, "releaseModel">,
  log: Logger,
): Promise<void> => {
  try {
    for (const model of await resources.claimEvictableModels()) {
      log.info({ model }, "model evicted")
      await engines.releaseModel(model)
    }
  } catch (error) {
    log.warn({ detail: messageOf(error) }, "failed to evict models")
  }
}
