import type { SearchAnswer, SearchQuery, WordsHit } from "../../../domain/search.ts"

/** Searches titles, topics and transcripts of all clips. The last word of a query matches as a prefix. */
export interface LibraryStore {
  /**
   * Indexes the clips that are new or changed, for search and map. Otherwise the next search does it while its caller
   * waits. Returns the number of clips.
   * @param signal stops between two clips
   */
  prepare(signal?: AbortSignal): Promise<number>
  /** Finds titles, topics and parts of transcripts that contain every word of the query, best first. */
  search(query: SearchQuery): Promise<SearchAnswer>
  /** Finds the parts of transcripts in which every word of the query is spoken within 30 s, best first. */
  searchTranscripts(query: SearchQuery): Promise<readonly WordsHit[]>
}
