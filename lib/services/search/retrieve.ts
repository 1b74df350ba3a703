import type { Embedder } from "../../engines/language/types.ts"
import type { ChunkScope, DocumentIndex, Hit, StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { demoteNearDuplicates, FUSION_DEPTH, fuseRankings, rowsOf } from "./ranking.ts"
import { demoteRepeatedTopics, searchChunks } from "./search-chunks.ts"

/** Defaults by kind of embedding model. Those of the builtin one, which is lexical, were measured; docs/documents.md discusses the others. */
const DEFAULTS = {
  lexical: { feedback: 2, vectorWeight: 0.5 },
  learned: { feedback: 0.5, vectorWeight: 1 },
}

export type RetrievedChunk = { readonly chunk: StoredChunk; readonly score: number }
type RetrieveDeps = Pick<Deps, "config" | "index" | "store">

/**
 * Returns the chunks that match a question best. Full-text search (BM25 over word stems and phrases) and vector search each
 * use pseudo-relevance feedback from the best full-text hits. Their rankings are fused and near-duplicates moved back.
 * @throws AppError `unavailable` if the embedding model is unreachable
 */
export const retrieve = async (
  { index, store, config }: RetrieveDeps,
  embedder: Embedder,
  { question, topK, signal, scope, filter }: ChunkScope & { question: string; topK: number; signal: AbortSignal },
): Promise<RetrievedChunk[]> => {
  const settings = config.documents
  const defaults = DEFAULTS[embedder.isLexical ? "lexical" : "learned"]
  const {
    feedback,
    hits: textHits,
    topics,
  } = await searchChunks({ index, store, config }, question, {
    scope,
    filter,
  })
  const [vector] = await embedder.embed([question], "query", signal)
  const target = await applyVectorFeedback(index, embedder.name, vector!, {
    feedback,
    weight: settings.feedback ?? defaults.feedback,
  })
  const vectorHits = await index.searchVectors(embedder.name, target, { scope, filter, limit: FUSION_DEPTH })
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

/**
 * Moves the query vector towards the feedback chunks (Rocchio 1971; for dense retrieval Li et al. 2021). A chunk counts in
 * proportion to its score, as in the relevance model of full-text search.
 */
const applyVectorFeedback = async (
  index: DocumentIndex,
  model: string,
  query: Float32Array,
  { feedback, weight }: { feedback: readonly Hit[]; weight: number },
): Promise<Float32Array> => {
  const stored = await index.getVectors(model, rowsOf(feedback))
  const found = feedback.flatMap(({ row, score }) => {
    const vector = stored.get(row)
    return vector?.length === query.length ? [{ vector, score }] : []
  })
  return weight > 0 && found.length > 0 ? addWeightedMean(query, found, weight) : query
}

/** Returns query + weight · (mean of the vectors weighted by their scores), scaled to unit length. */
const addWeightedMean = (
  query: Float32Array,
  found: readonly { readonly vector: Float32Array; readonly score: number }[],
  weight: number,
): Float32Array => {
  const sum = Float32Array.from(query)
  const totalScore = found.reduce((total, { score }) => total + score, 0)
  for (const { vector, score } of found)
    for (let i = 0; i < sum.length; i++) sum[i]! += ((weight * score) / totalScore) * vector[i]!
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((x) => x / length) : sum
}
