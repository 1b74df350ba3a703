import { messageOf } from "../domain/errors.ts"
import type { Engines } from "../engines/types.ts"
import type { Logger } from "../platform/logger.ts"
import type { ResourceStore } from "../storage/stores/ports/resources.ts"

/**
 * Frees the language models whose every run has ended. The store hands each out once, so any process may ask at any
 * time; a store that cannot be written is asked again by the next one, and nothing is thrown.
 */
export const evictModels = async (
  resources: Pick<ResourceStore, "claimEvictableModels">,
  engines: Pick<Engines, "release">,
  log: Logger,
): Promise<void> => {
  try {
    for (const model of await resources.claimEvictableModels()) {
      log.info({ model }, "model released")
      await engines.release(model)
    }
  } catch (error) {
    log.warn({ detail: messageOf(error) }, "no model released")
  }
}
