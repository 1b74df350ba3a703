import type { ClipRegions } from "../../domain/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { getTopicRegions, type RegionDeps } from "../map/topic-regions.ts"
import { unknownClip } from "./clips.ts"

/** The client colors its topics with the answer, so it rather waits than asks again. */
const WAIT_MS = 2000

/** Returns the region of the map that each topic of a clip is in. @throws AppError `not_found` */
export const getClipRegions = async (
  deps: Deps & RegionDeps,
  { id }: { readonly id: string },
): Promise<ClipRegions> => {
  const [title, { regions, ofClip }] = await Promise.all([
    requireStore(deps).clips.getTitle(id),
    getTopicRegions(deps, WAIT_MS),
  ])
  if (title === null) throw unknownClip(id)
  const topics = Object.fromEntries(ofClip(id))
  const used = new Set(Object.values(topics))
  return {
    topics,
    regions: regions.filter((region) => used.has(region.id)).map((region) => ({ id: region.id, name: region.name })),
  }
}
