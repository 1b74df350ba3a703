import type { WordsHit } from "../../domain/search.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { isContent, searchWords } from "../search/retrieval/question.ts"

/** What the best place counts at which a question's words are said: less than a title of them, as much as what is much alike. */
const SAID = 0.6
/** Places after the best one are less near by so much each. */
const STEP = 0.001

/**
 * Topics in which the words of a question are said close together, all but function words: index of the topic → 0.5 to
 * 0.6, by their order. What is said belongs to the shortest topic around it.
 */
export const spokenMatch = async (
  store: Pick<Store, "library">,
  topics: readonly MapTopic[],
  question: string,
  limit: number,
): Promise<ReadonlyMap<number, number>> => {
  const words = searchWords(question).filter(isContent)
  const matches = new Map<number, number>()
  if (words.length === 0) return matches
  const hits = await store.library.searchTranscripts({ q: words.join(" "), limit })
  const found = new Set(hits.map(({ clip_id }) => clip_id))
  const indexes = [...topics.keys()].filter((i) => found.has(topics[i]!.clip_id))
  for (const [place, hit] of hits.entries()) {
    const around = indexes.filter((i) => holds(topics[i]!, hit))
    // Of two of one length the deeper one, which comes later.
    const [index] = around.sort((a, b) => topics[a]!.duration_s - topics[b]!.duration_s || b - a)
    if (index !== undefined && !matches.has(index)) matches.set(index, SAID - STEP * place)
  }
  return matches
}

const holds = (topic: MapTopic, hit: WordsHit): boolean =>
  topic.clip_id === hit.clip_id && topic.start_s <= hit.start_s && hit.start_s < topic.start_s + topic.duration_s
