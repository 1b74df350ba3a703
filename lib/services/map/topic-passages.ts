import type { SearchPassage } from "../../domain/map.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import type { Deps } from "../deps.ts"
import { indexClips } from "../documents/index-clips.ts"
import { buildSearchTerms } from "../search/query-terms.ts"

export type PassageDeps = Pick<Deps, "store" | "index" | "config" | "log">

const MAX_TEXT_HITS = 500

/** Returns the passage of each topic that contains most of a question, or null for a topic without one. */
export const findBestPassages = async (
  deps: PassageDeps,
  embedder: Embedder,
  question: string,
  topics: readonly MapTopic[],
): Promise<(SearchPassage | null)[]> => {
  if (topics.length === 0) return []
  await indexClips(deps, embedder, new AbortController().signal)
  const { index, config } = deps
  const terms = buildSearchTerms(question, config.documents.phraseWeight)
  const hits = await index.searchText(terms, { scope: "clips", limit: MAX_TEXT_HITS })
  const chunks = await index.getChunks(hits.map(({ row }) => row))
  return topics.map((topic) => {
    const best = chunks.find((chunk) => isSpokenIn(chunk, topic))
    if (!best) return null
    const { start_s = 0, end_s = 0 } = best.metadata
    return { text: best.text, start_s, end_s }
  })
}

/** Returns true if more than half of a chunk is spoken in the topic, or more than half of the topic in the chunk. */
const isSpokenIn = ({ metadata: { source, start_s = 0, end_s = 0 } }: StoredChunk, topic: MapTopic): boolean => {
  if (source !== topic.clip_id) return false
  const shared = Math.min(end_s, topic.start_s + topic.duration_s) - Math.max(start_s, topic.start_s)
  return 2 * shared > Math.min(end_s - start_s, topic.duration_s)
}
