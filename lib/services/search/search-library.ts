import type { SearchAnswer, SearchQuery } from "../../domain/search.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

/** Looks for words in titles, topics and speech. What is new or changed is made findable on the way. */
export const searchLibrary = (deps: Deps, query: SearchQuery): Promise<SearchAnswer> =>
  requireStore(deps).library.search(query)
