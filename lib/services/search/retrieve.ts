import type { QueryScope } from "../../domain/documents.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { DocumentIndex, Hit, StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { buildExpansionTerms, buildSearchTerms, mergeExpansionHits } from "./query-terms.ts"
import { demoteNearDuplicates, fuseRankings, sortHits } from "./ranking.ts"
import { loadTopicIndex, type TopicIndex } from "./topic-index.ts"

/** The number of hits of each ranking that are fused. */
const FUSION_DEPTH = 200
/** The number of hits of each full-text search. Deep enough that a hit in only one of the two cannot reach the top. */
const MAX_TEXT_HITS = 500
/** The number of best full-text hits that are assumed to be relevant. */
const FEEDBACK_CHUNKS = 5
/** Defaults by kind of embedding model. Those of the builtin one, which is lexical, were measured; docs/documents.md discusses the others. */
const DEFAULTS = {
  lexical: { feedback: 2, vectorWeight: 0.5 },
  learned: { feedback: 0.5, vectorWeight: 1 },
}

/** The weight of the score of a chunk's topic, compared with its own. */
const TOPIC_WEIGHT = 0.5
/** Chunks of the same topic after these are moved back, so that the best chunks come from several topics. */
const MAX_CHUNKS_PER_TOPIC = 2

export type RetrievedChunk = { readonly chunk: StoredChunk; readonly score: number }
type RetrieveDeps = Pick<Deps, "config" | "index" | "store">
type Settings = RetrieveDeps["config"]["documents"]

/**
 * Returns the chunks that match a question best. Full-text search (BM25 over word stems and phrases) and vector search each
 * use pseudo-relevance feedback from the best full-text hits. Their rankings are fused and near-duplicates moved back.
 * @throws AppError `unavailable` if the embedding model is unreachable
 */
export const retrieve = async (
  { index, store, config: { documents: settings } }: RetrieveDeps,
  embedder: Embedder,
  { question, scope, topK, signal }: { question: string; scope: QueryScope; topK: number; signal: AbortSignal },
): Promise<RetrievedChunk[]> => {
  const defaults = DEFAULTS[embedder.isLexical ? "lexical" : "learned"]
  const { feedback, hits } = await searchText(index, question, scope, settings)
  const topics = store && scope !== "documents" ? await findTopics(index, store, hits) : null
  const textHits = topics ? addTopicScores(hits, topics, question) : hits
  const [vector] = await embedder.embed([question], "query", signal)
  const target = await applyVectorFeedback(index, embedder.name, vector!, {
    feedback,
    weight: settings.feedback ?? defaults.feedback,
  })
  const vectorHits = await index.searchVectors(embedder.name, target, { scope, limit: FUSION_DEPTH })
  const fused = fuseRankings([
    { hits: textHits.slice(0, FUSION_DEPTH), weight: settings.textWeight },
    { hits: vectorHits, weight: settings.vectorWeight ?? defaults.vectorWeight },
  ]).slice(0, Math.max(FUSION_DEPTH, topK))
  const vectors = await index.getVectors(embedder.name, rowsOf(fused))
  const diverse = topics ? demoteRepeatedTopics(fused, topics) : fused
  const best = demoteNearDuplicates(diverse, vectors, topK)
  const scores = new Map(best.map(({ row, score }) => [row, score]))
  const chunks = await index.getChunks(rowsOf(best))
  return chunks.map((chunk) => ({ chunk, score: scores.get(chunk.row)! }))
}

const rowsOf = (hits: readonly Hit[]): number[] => hits.map(({ row }) => row)

/** The topics of the chunks of recordings, by row: positions in `index`. Other chunks are absent. */
type ChunkTopics = { readonly index: TopicIndex; readonly topicOf: ReadonlyMap<number, number> }

const findTopics = async (
  documents: DocumentIndex,
  store: Pick<Store, "map">,
  hits: readonly Hit[],
): Promise<ChunkTopics> => {
  const index = await loadTopicIndex(store)
  const { topicOfChunk } = index
  const rows = rowsOf(hits.slice(0, FUSION_DEPTH))
  for (const { row, metadata } of await documents.getChunks(rows.filter((row) => !topicOfChunk.has(row)))) {
    const { source, start_s = 0, end_s = 0 } = metadata
    topicOfChunk.set(row, index.findMainTopic(source, (start_s + end_s) / 2))
  }
  const found = rows.map((row): [number, number] => [row, topicOfChunk.get(row) ?? -1])
  return { index, topicOf: new Map(found.filter(([, topic]) => topic >= 0)) }
}

/** Adds to each chunk a share of its topic's score, because a chunk is about more than the words in it. */
const addTopicScores = (hits: readonly Hit[], { index, topicOf }: ChunkTopics, question: string): Hit[] => {
  const scores = index.score(question)
  const maxTopic = Math.max(...[...topicOf.values()].map((topic) => scores[topic]!), Number.MIN_VALUE)
  const maxChunk = hits[0]?.score ?? 1
  const combined = hits.map(({ row, score }): [number, number] => {
    const topic = topicOf.get(row)
    return [row, score / maxChunk + (topic === undefined ? 0 : (TOPIC_WEIGHT * scores[topic]!) / maxTopic)]
  })
  return sortHits(new Map(combined))
}

const demoteRepeatedTopics = (hits: readonly Hit[], { topicOf }: ChunkTopics): Hit[] => {
  const counts = new Map<number, number>()
  const isRepeated = ({ row }: Hit): boolean => {
    const topic = topicOf.get(row)
    if (topic === undefined) return false
    const count = counts.get(topic) ?? 0
    counts.set(topic, count + 1)
    return count >= MAX_CHUNKS_PER_TOPIC
  }
  const repeated = new Set(hits.filter(isRepeated))
  return [...hits.filter((hit) => !repeated.has(hit)), ...repeated]
}

/** Searches full text, and again with expansion terms from the best hits. */
const searchText = async (index: DocumentIndex, question: string, scope: QueryScope, settings: Settings) => {
  const options = { scope, limit: MAX_TEXT_HITS }
  const terms = buildSearchTerms(question, settings.phraseWeight)
  const hits = await index.searchText(terms, options)
  const feedback = hits.slice(0, FEEDBACK_CHUNKS)
  if (settings.expansion === 0 || feedback.length === 0) return { feedback, hits }
  const scores = new Map(feedback.map(({ row, score }) => [row, score]))
  const chunks = (await index.getChunks(rowsOf(feedback))).map(({ row, text }) => ({ text, score: scores.get(row)! }))
  const expansionHits = await index.searchText(buildExpansionTerms(chunks), options)
  return { feedback, hits: mergeExpansionHits({ terms, hits }, expansionHits, settings.expansion) }
}

/** Moves the query vector towards the feedback chunks (Rocchio 1971; for dense retrieval Li et al. 2021). */
const applyVectorFeedback = async (
  index: DocumentIndex,
  model: string,
  query: Float32Array,
  { feedback, weight }: { feedback: readonly Hit[]; weight: number },
): Promise<Float32Array> => {
  const stored = await index.getVectors(model, rowsOf(feedback))
  const vectors = [...stored.values()].filter((vector) => vector.length === query.length)
  return weight > 0 && vectors.length > 0 ? addWeightedMean(query, vectors, weight) : query
}

/** Returns query + weight · mean(vectors), scaled to unit length. */
const addWeightedMean = (query: Float32Array, vectors: readonly Float32Array[], weight: number): Float32Array => {
  const sum = Float32Array.from(query)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += (weight * vector[i]!) / vectors.length
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((x) => x / length) : sum
}
