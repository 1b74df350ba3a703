import type { SearchAnswer, SearchQuery } from "../../domain/search.ts"
import { type Deps, requireStore } from "../deps.ts"

/** Searches titles, topics and transcripts. Indexes new and changed clips first. */
export const searchLibrary = (deps: Deps, query: SearchQuery): Promise<SearchAnswer> =>
  requireStore(deps).library.search(query)
