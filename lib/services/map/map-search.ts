import type { VizSearchQuery } from "../../api/map.ts"
import type { SearchResult } from "../../domain/map.ts"
import { countTerms } from "../../domain/text/terms.ts"
import type { Embedder } from "../../engines/language/types.ts"
import { projectTerms } from "../../map/terms/term-space.ts"
import type { PointSet } from "../../map/types.ts"
import { indexClips } from "../documents/index-clips.ts"
import { keepBestOfTopic, rankAbove, rankTopicsByWords } from "../search/rank-topics.ts"
import { fuseRankings } from "../search/ranking.ts"
import { findBestPassages } from "../search/topic-passages.ts"
import { estimateUnrelatedSimilarity } from "../search/unrelated-similarity.ts"
import type { MapContent } from "./map-content.ts"
import { getTopicMap, type VizDeps } from "./topic-map.ts"

/**
 * Returns the topics in which a subject was talked about, best first: ranked by the words that are said in them, by title
 * and summary, and with an embedding model also by meaning. Unrelated topics are left out. `point_index` refers to the
 * points of the current map data.
 * @throws AppError `capability_missing` without group `rag`, `unavailable` if the embedding model is unreachable
 */
export const searchViz = async (deps: VizDeps, { q, top_k }: VizSearchQuery): Promise<SearchResult[]> => {
  const question = q.trim()
  if (question === "") return []
  const embedder = await deps.engines.getEmbedder()
  const content = await getTopicMap(deps).loadContent(embedder)
  const { snapshot, points, index } = content
  if (snapshot.topics.length === 0) return []
  const cosines = await compareWithTopics(embedder, content, question)
  const byWords = rankTopicsByWords(index, question)
  const byMeaning = rankAbove(
    Float64Array.from(points.rowOf, (row) => cosines[row]!),
    estimateUnrelatedSimilarity(cosines),
  )
  // The positions of a lexical embedder add nothing to the words of which they consist.
  const rankings = embedder.isLexical && byWords.length > 0 ? [byWords] : [byWords, byMeaning]
  const fused = fuseRankings(rankings.map((hits) => ({ hits, weight: 1 })))
  const hits = keepBestOfTopic(fused, index).slice(0, top_k)
  if (hits.length > 0) await indexClips(deps, embedder, new AbortController().signal)
  const passages = await findBestPassages(
    deps,
    question,
    hits.map(({ row }) => snapshot.topics[row]!),
  )
  const clipTitles = new Map(snapshot.clips.map((clip) => [clip.id, clip.title]))
  return hits.map(({ row, score }, i) => {
    const topic = snapshot.topics[row]!
    return {
      point_index: row,
      topic_title: topic.title,
      clip_title: clipTitles.get(topic.clip_id) ?? "",
      clip_id: topic.clip_id,
      similarity: cosines[points.rowOf[row]!]!,
      score,
      summary: topic.summary,
      passage: passages[i]!,
    }
  })
}

/** Returns the cosine similarity of a question and every row. */
const compareWithTopics = async (
  embedder: Embedder,
  { points, vectors }: MapContent,
  question: string,
): Promise<Float64Array> => {
  if (!vectors.space) {
    const [vector] = await embedder.embed([question], "query")
    return computeCosines(points, vector!)
  }
  const position = projectTerms(vectors.space.terms, countTerms([question]))
  // A space without terms has no dimensions.
  if (position.length !== points.dims) return new Float64Array(points.rows)
  const length = Math.hypot(...position)
  return computeCosines(
    points,
    position.map((x) => (length > 0 ? x / length : 0)),
  )
}

const computeCosines = ({ vectors, rows, dims }: PointSet, vector: Float32Array): Float64Array => {
  const cosines = new Float64Array(rows)
  for (let row = 0, at = 0; row < rows; row++) {
    let sum = 0
    for (let d = 0; d < dims; d++) sum += vectors[at++]! * vector[d]!
    cosines[row] = Math.max(-1, Math.min(1, sum))
  }
  return cosines
}
