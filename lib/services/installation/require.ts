import { capabilityError } from "../../platform/capabilities/registry.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"

/** The store. @throws AppError `capability_missing` without group `rag`. */
export const requireStore = (deps: Pick<Deps, "store" | "groups">): Store => {
  if (deps.store === null) throw capabilityError("rag", deps.groups.rag)
  return deps.store
}

const BLOBS_MS = 10_000

/** That what was sent can be removed now. @throws AppError `unavailable` with what to do */
export const requireBlobs = async ({ blobs }: Pick<Deps, "blobs">): Promise<void> => {
  await blobs.check(AbortSignal.timeout(BLOBS_MS))
}
