import type { Hit } from "../../storage/stores/ports/documents.ts"
import { FUSION_DEPTH, sortHits } from "./ranking.ts"
import type { TopicIndex } from "./topic-index.ts"

/** Ranks topics by the words that are said in them, and by title and summary. Rows are positions in the index. */
export const rankTopicsByWords = (index: TopicIndex, question: string): Hit[] => rankAbove(index.score(question), 0)

/** Ranks the scores above a limit. Rows are positions in `scores`. */
export const rankAbove = (scores: Float64Array, limit: number): Hit[] =>
  sortHits(new Map([...scores.entries()].filter(([, score]) => score > limit))).slice(0, FUSION_DEPTH)

/** Keeps the best hit of each topic and its subtopics, which contain the same words. A hit of a whole recording stays. */
export const keepBestOfTopic = (hits: readonly Hit[], { parentOf }: TopicIndex): Hit[] => {
  const seen = new Set<number>()
  return hits.filter(({ row }) => {
    const topic = parentOf[row]! < 0 ? row : parentOf[row]!
    if (seen.has(topic)) return false
    seen.add(topic)
    return true
  })
}
