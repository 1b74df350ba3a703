import type { SearchPassage } from "../../domain/map.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import type { Deps } from "../deps.ts"
import { buildSearchTerms } from "./query-terms.ts"
import { rowsOf } from "./ranking.ts"

type PassageDeps = Pick<Deps, "index" | "config">

const MAX_TEXT_HITS = 500

/** Returns the indexed passage of each topic that contains most of a question, or null for a topic without one. */
export const findBestPassages = async (
  { index, config }: PassageDeps,
  question: string,
  topics: readonly MapTopic[],
): Promise<(SearchPassage | null)[]> => {
  if (topics.length === 0) return []
  const terms = buildSearchTerms(question, config.documents.phraseWeight)
  const hits = await index.searchText(terms, { scope: "clips", limit: MAX_TEXT_HITS })
  return choosePassages(await index.getChunks(rowsOf(hits)), topics)
}

/** Returns the first chunk that is spoken in each topic, or null. */
export const choosePassages = (chunks: readonly StoredChunk[], topics: readonly MapTopic[]): (SearchPassage | null)[] =>
  topics.map((topic) => {
    const best = chunks.find((chunk) => isSpokenIn(chunk, topic))
    if (!best) return null
    const { start_s = 0, end_s = 0 } = best.metadata
    return { text: best.text, start_s, end_s }
  })

/** Returns true if more than half of a chunk is spoken in the topic, or more than half of the topic in the chunk. */
const isSpokenIn = ({ metadata: { source, start_s = 0, end_s = 0 } }: StoredChunk, topic: MapTopic): boolean => {
  if (source !== topic.clip_id) return false
  const shared = Math.min(end_s, topic.start_s + topic.duration_s) - Math.max(start_s, topic.start_s)
  return 2 * shared > Math.min(end_s - start_s, topic.duration_s)
}
