import type { SearchAnswer, SearchQuery } from "../../domain/search.ts"
import type { Deps } from "../deps.ts"
import { getTopicRegions, type RegionDeps } from "../map/topic-regions.ts"
import { searchLibrary } from "./search-library.ts"

/** Results are shown while the user types, so they hardly wait for the map. */
const WAIT_MS = 50

/** Searches the library. Each topic has its region on the map, if the map is loaded. */
export const searchWithRegions = async (deps: Deps & RegionDeps, query: SearchQuery): Promise<SearchAnswer> => {
  const [answer, regions] = await Promise.all([searchLibrary(deps, query), getTopicRegions(deps, WAIT_MS)])
  const topics = answer.topics.map((topic) => ({
    ...topic,
    region: regions.ofClip(topic.clip_id).get(topic.number) ?? null,
  }))
  return { ...answer, topics }
}
