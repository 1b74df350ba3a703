import type { VizSearchQuery } from "../../api/map.ts"
import type { SearchResult } from "../../domain/map.ts"
import type { WordsHit } from "../../domain/search.ts"
import type { PointSet } from "../../map/types.ts"
import type { MapSnapshot, MapTopic } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { stemsOf } from "../../storage/stores/search/stems.ts"
import { requireStore } from "../deps.ts"
import { isSearchContentWord, selectQuestionWords } from "../search/query-terms.ts"
import { getTopicMap, type VizDeps } from "./topic-map.ts"

/** The score of a full match in the title of a topic. A cosine of 1 ranks higher. */
const TOPIC_TITLE_SCORE = 0.95
/** The score of a full match that also needs the title of the recording. */
const CLIP_TITLE_SCORE = 0.9
/** Titles that contain less than this share of the question's weight score 0. */
const MIN_TITLE_MATCH = 0.5
/** The score of the best transcript match: below title matches, as high as a very similar meaning. */
const TRANSCRIPT_SCORE = 0.6
/** Each further transcript match scores this much less. */
const TRANSCRIPT_SCORE_STEP = 0.001

/**
 * Returns the topics that match a question, best first. A topic scores the maximum of its cosine similarity, its title
 * match and its transcript match. Unrelated topics are left out. `point_index` refers to the points of the current map data.
 * @throws AppError `capability_missing` without group `rag`, `unavailable` if the embedding model is unreachable
 */
export const searchViz = async (deps: VizDeps, { q, top_k }: VizSearchQuery): Promise<SearchResult[]> => {
  const map = getTopicMap(deps)
  const question = q.trim()
  if (question === "") return []
  const embedder = await deps.engines.getEmbedder()
  const { snapshot, points } = await map.loadContent(embedder)
  if (snapshot.topics.length === 0) return []
  const [vector] = await embedder.embed([question], "query")
  const cosines = computeCosines(points, vector!)
  const titles = scoreTitles(snapshot, question)
  const transcripts = await scoreTranscripts(requireStore(deps), snapshot.topics, question, top_k)
  const scores = Float64Array.from(points.rowOf, (row, i) =>
    Math.max(cosines[row]!, titles[i]!, transcripts.get(i) ?? 0),
  )
  const clipTitles = new Map(snapshot.clips.map((clip) => [clip.id, clip.title]))
  return selectBest(scores, top_k)
    .filter((index) => scores[index]! > embedder.maxUnrelatedSimilarity)
    .map((index) => {
      const topic = snapshot.topics[index]!
      return {
        point_index: index,
        topic_title: topic.title,
        clip_title: clipTitles.get(topic.clip_id) ?? "",
        clip_id: topic.clip_id,
        similarity: scores[index]!,
        summary: topic.summary,
      }
    })
}

/** Returns the cosine similarity of every row with a unit vector. */
const computeCosines = ({ vectors, rows, dims }: PointSet, vector: Float32Array): Float64Array => {
  const cosines = new Float64Array(rows)
  for (let row = 0, at = 0; row < rows; row++) {
    let sum = 0
    for (let d = 0; d < dims; d++) sum += vectors[at++]! * vector[d]!
    cosines[row] = Math.max(-1, Math.min(1, sum))
  }
  return cosines
}

/** Returns the indexes of the k highest scores, best first, ties by index. */
const selectBest = (scores: Float64Array, k: number): number[] => {
  const best: number[] = []
  const scoreOf = (index: number) => scores[index]!
  for (let index = 0; index < scores.length; index++) {
    if (best.length === k && scoreOf(best[k - 1]!) >= scoreOf(index)) continue
    let at = best.length
    while (at > 0 && scoreOf(best[at - 1]!) < scoreOf(index)) at--
    best.splice(at, 0, index)
    best.length = Math.min(best.length, k)
  }
  return best
}

type MapTitles = Pick<MapSnapshot, "topics" | "clips">

/**
 * Scores how much of a question occurs in the title of each topic, alone or together with the title of its recording.
 * Words count by their inverse document frequency. Returns scores from 0 to 0.95 in the order of the topics.
 */
export const scoreTitles = (snapshot: MapTitles, question: string): Float64Array => {
  const { topics, clips, weightOf } = getTitleIndex(snapshot)
  const terms = [...new Set(stemsOf(question))].map((stem) => ({ stem, weight: weightOf(stem) }))
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  const computeShare = (isPresent: (stem: string) => boolean): number => {
    const found = terms.reduce((sum, { stem, weight }) => (isPresent(stem) ? sum + weight : sum), 0)
    return total > 0 && found / total >= MIN_TITLE_MATCH ? found / total : 0
  }
  return Float64Array.from(snapshot.topics, ({ clip_id }, i) => {
    const topicStems = topics[i]!
    const clipStems = clips.get(clip_id)
    return Math.max(
      TOPIC_TITLE_SCORE * computeShare((stem) => topicStems.has(stem)),
      CLIP_TITLE_SCORE * computeShare((stem) => topicStems.has(stem) || clipStems?.has(stem) === true),
    )
  })
}

type TitleIndex = {
  /** The stems of each topic title. */
  readonly topics: readonly ReadonlySet<string>[]
  /** Clip ID → stems of its title. */
  readonly clips: ReadonlyMap<string, ReadonlySet<string>>
  /** Inverse document frequency of a stem over topics (Spärck Jones 1972). */
  readonly weightOf: (stem: string) => number
}
const titleIndexes = new WeakMap<MapSnapshot["topics"], TitleIndex>()

const getTitleIndex = ({ topics, clips }: MapTitles): TitleIndex => {
  const cached = titleIndexes.get(topics)
  if (cached) return cached
  const topicStems = topics.map((topic) => new Set(stemsOf(topic.title)))
  const clipStems = new Map(clips.map((clip) => [clip.id, new Set(stemsOf(clip.title))]))
  const counts = new Map<string, number>()
  for (const [i, topic] of topics.entries())
    for (const stem of new Set([...topicStems[i]!, ...(clipStems.get(topic.clip_id) ?? [])]))
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weightOf = (stem: string) => Math.log(1 + topics.length / (counts.get(stem) ?? 0.5))
  const index = { topics: topicStems, clips: clipStems, weightOf }
  titleIndexes.set(topics, index)
  return index
}

/**
 * Scores the topics in whose transcript the content words of a question occur close together. A match counts for the
 * shortest topic around it. Returns topic index → score.
 */
const scoreTranscripts = async (
  store: Pick<Store, "library">,
  topics: readonly MapTopic[],
  question: string,
  limit: number,
): Promise<ReadonlyMap<number, number>> => {
  const words = selectQuestionWords(question).filter(isSearchContentWord)
  const scores = new Map<number, number>()
  if (words.length === 0) return scores
  const hits = await store.library.searchTranscripts({ q: words.join(" "), limit })
  const clipIds = new Set(hits.map(({ clip_id }) => clip_id))
  const indexes = [...topics.keys()].filter((i) => clipIds.has(topics[i]!.clip_id))
  for (const [rank, hit] of hits.entries()) {
    const containing = indexes.filter((i) => containsHit(topics[i]!, hit))
    // Of topics of equal duration take the deeper one, which comes later.
    const [index] = containing.sort((a, b) => topics[a]!.duration_s - topics[b]!.duration_s || b - a)
    if (index !== undefined && !scores.has(index)) scores.set(index, TRANSCRIPT_SCORE - TRANSCRIPT_SCORE_STEP * rank)
  }
  return scores
}

const containsHit = (topic: MapTopic, hit: WordsHit): boolean =>
  topic.clip_id === hit.clip_id && topic.start_s <= hit.start_s && hit.start_s < topic.start_s + topic.duration_s
