import type { VizSearchQuery } from "../../api/map.ts"
import type { SearchResult } from "../../domain/map.ts"
import type { PointSet } from "../../map/types.ts"
import { requireStore } from "../installation/require.ts"
import { getTopicMap, type VizDeps } from "./get-topic-map.ts"
import { spokenMatch } from "./spoken-match.ts"
import { titleMatch } from "./title-match.ts"

/**
 * Topics nearest in meaning to a question, by exact cosine, best first; one whose title or recording's title holds the
 * words of the question is as near as they are many (`titleMatch`), one in which they are said is near, too (`spokenMatch`).
 * `point_index` counts the points of VizData as
 * they are now. A question of spaces has no answers, and what is not related to the question is none.
 * @throws AppError `capability_missing` without group `rag`; `unavailable` when the embedding model cannot be reached.
 */
export const vizSearch = async (deps: VizDeps, { q, top_k }: VizSearchQuery): Promise<SearchResult[]> => {
  const map = getTopicMap(deps)
  const question = q.trim()
  if (question === "") return []
  const embedder = await deps.engines.embedder()
  const { snapshot, points } = await map.topics(embedder)
  if (snapshot.topics.length === 0) return []
  const [vector] = await embedder.embed([question], "query")
  const cosine = similarities(points, vector!)
  const named = titleMatch(snapshot, question)
  const said = await spokenMatch(requireStore(deps), snapshot.topics, question, top_k)
  const similarity = Float64Array.from(points.rowOf, (row, i) => Math.max(cosine[row]!, named[i]!, said.get(i) ?? 0))
  const titles = new Map(snapshot.clips.map((clip) => [clip.id, clip.title]))
  return bestOf(similarity, top_k)
    .filter((index) => similarity[index]! > embedder.unrelated)
    .map((index) => {
      const topic = snapshot.topics[index]!
      return {
        point_index: index,
        topic_title: topic.title,
        clip_title: titles.get(topic.clip_id) ?? "",
        clip_id: topic.clip_id,
        similarity: similarity[index]!,
        summary: topic.summary,
      }
    })
}

/** Cosine of every row with a unit vector. */
const similarities = ({ vectors, rows, dims }: PointSet, vector: Float32Array): Float64Array => {
  const out = new Float64Array(rows)
  for (let row = 0, at = 0; row < rows; row++) {
    let sum = 0
    for (let d = 0; d < dims; d++) sum += vectors[at++]! * vector[d]!
    out[row] = Math.max(-1, Math.min(1, sum))
  }
  return out
}

/** Indices of the k best points; among equals the earlier one is first. */
const bestOf = (similarity: Float64Array, k: number): number[] => {
  const best: number[] = []
  const of = (point: number) => similarity[point]!
  for (let point = 0; point < similarity.length; point++) {
    if (best.length === k && of(best[k - 1]!) >= of(point)) continue
    let at = best.length
    while (at > 0 && of(best[at - 1]!) < of(point)) at--
    best.splice(at, 0, point)
    best.length = Math.min(best.length, k)
  }
  return best
}
