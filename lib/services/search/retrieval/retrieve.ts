import type { QueryScope } from "../../../domain/documents.ts"
import type { Embedder } from "../../../engines/language/types.ts"
import type { DocumentIndex, Hit, StoredChunk } from "../../../storage/stores/ports/documents.ts"
import type { Deps } from "../../deps.ts"
import { diversify } from "./diversify.ts"
import { interpolate, wordsOfBest } from "./expand.ts"
import { fuse } from "./fuse.ts"
import { termsOf } from "./question.ts"

/** How many of each list are fused. */
const DEPTH = 200
/** How many hits of either text search are added up; below so many, being in one alone makes no difference on top. */
const CANDIDATES = 500
/** How many of the best passages by full text are taken for relevant. */
const FEEDBACK_PASSAGES = 5
/** What holds when no setting says otherwise: as measured for hashed words; for learned vectors see docs. */
const DEFAULTS = {
  builtin: { feedback: 2, vectorWeight: 0.5 },
  learned: { feedback: 0.5, vectorWeight: 1 },
}

export type Retrieved = { readonly chunk: StoredChunk; readonly score: number }
type RetrieveDeps = Pick<Deps, "config" | "index">
type Settings = RetrieveDeps["config"]["documents"]

/** q + β · mean of the vectors, scaled to unit length. */
const drawn = (query: Float32Array, towards: readonly Float32Array[], beta: number): Float32Array => {
  const vector = Float32Array.from(query)
  for (const v of towards) for (let i = 0; i < vector.length; i++) vector[i]! += (beta * v[i]!) / towards.length
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((x) => x / length) : vector
}

/** Pseudo-relevance feedback on vectors (Rocchio 1971; for dense retrieval Li et al. 2021). */
const withFeedback = async (
  index: DocumentIndex,
  model: string,
  query: Float32Array,
  { best, beta }: { best: readonly Hit[]; beta: number },
): Promise<Float32Array> => {
  const rows = best.map(({ row }) => row)
  const vectors = [...(await index.getVectors(model, rows)).values()].filter((v) => v.length === query.length)
  return beta > 0 && vectors.length > 0 ? drawn(query, vectors, beta) : query
}

/** The best passages by full text, and the ranking when their words are looked for too. */
const searchTwice = async (index: DocumentIndex, question: string, scope: QueryScope, settings: Settings) => {
  const p = { scope, limit: CANDIDATES }
  const terms = termsOf(question, settings.phraseWeight)
  const hits = await index.searchText(terms, p)
  const best = hits.slice(0, FEEDBACK_PASSAGES)
  if (settings.expansion === 0 || best.length === 0) return { best, hits }
  const scores = new Map(best.map(({ row, score }) => [row, score]))
  const passages = (await index.getChunks([...scores.keys()])).map(({ row, text }) => ({
    text,
    score: scores.get(row)!,
  }))
  const added = await index.searchText(wordsOfBest(passages), p)
  return { best, hits: interpolate({ terms, hits }, added, settings.expansion) }
}

/**
 * The passages that fit a question best: full text (BM25 over stems of words and phrases) and vectors, both asked again
 * with what the best passages by full text say, fused by rank, without near-duplicates.
 * @throws AppError `unavailable` when the embedding model cannot be reached
 */
export const retrieve = async (
  { index, config: { documents: settings } }: RetrieveDeps,
  embedder: Embedder,
  { question, scope, topK, signal }: { question: string; scope: QueryScope; topK: number; signal: AbortSignal },
): Promise<Retrieved[]> => {
  const standard = DEFAULTS[embedder.name.startsWith("builtin") ? "builtin" : "learned"]
  const { best, hits } = await searchTwice(index, question, scope, settings)
  const [query] = await embedder.embed([question], "query", signal)
  const beta = settings.feedback ?? standard.feedback
  const towards = await withFeedback(index, embedder.name, query!, { best, beta })
  const near = await index.searchVectors(embedder.name, towards, { scope, limit: DEPTH })
  const fused = fuse([
    { hits: hits.slice(0, DEPTH), weight: settings.textWeight },
    { hits: near, weight: settings.vectorWeight ?? standard.vectorWeight },
  ]).slice(0, Math.max(DEPTH, topK))
  const vectors = await index.getVectors(
    embedder.name,
    fused.map(({ row }) => row),
  )
  const chosen = diversify(fused, vectors, topK)
  const scores = new Map(chosen.map(({ row, score }) => [row, score]))
  const chunks = await index.getChunks(chosen.map(({ row }) => row))
  return chunks.map((chunk) => ({ chunk, score: scores.get(chunk.row)! }))
}
