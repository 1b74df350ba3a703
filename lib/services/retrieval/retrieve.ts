import type { QueryScope } from "../../contracts/documents.ts"
import type { Embedder } from "../../models/types.ts"
import type { Hit, StoredChunk } from "../../store/search/types.ts"
import { isFiller, STOP_WORDS } from "../../text/stop-words.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"
import type { Deps } from "../deps.ts"
import { diversify } from "./diversify.ts"
import { fuse } from "./fuse.ts"

/** How many of each list are fused. */
const DEPTH = 200
/** How many of the best passages by full text draw the question's vector. */
const FEEDBACK_PASSAGES = 5
/** Most words of a question that are searched for. */
const MAX_WORDS = 200
/** How far they draw it when the setting does not say: as measured for hashed words; for learned vectors see docs. */
const FEEDBACK = { builtin: 2, learned: 0.5 }

export type Retrieved = { readonly chunk: StoredChunk; readonly score: number }
type RetrieveDeps = Pick<Deps, "config" | "index">

/** The words of a question that are worth looking for; all of them when none is. */
export const searchWords = (question: string): string[] => {
  const words = [...new Set(wordsOf(question).map(normalise))].slice(0, MAX_WORDS)
  const content = words.filter((w) => !STOP_WORDS.has(w) && !isFiller(w))
  return content.length > 0 ? content : words
}

/** q + β · mean of the vectors, scaled to unit length. */
const drawn = (query: Float32Array, towards: readonly Float32Array[], beta: number): Float32Array => {
  const vector = Float32Array.from(query)
  for (const v of towards) for (let i = 0; i < vector.length; i++) vector[i]! += (beta * v[i]!) / towards.length
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((x) => x / length) : vector
}

/** Pseudo-relevance feedback on vectors (Rocchio 1971; for dense retrieval Li et al. 2021). */
const withFeedback = async (
  { index, config }: RetrieveDeps,
  embedder: Embedder,
  query: Float32Array,
  text: readonly Hit[],
): Promise<Float32Array> => {
  const beta = config.documents.feedback ?? (embedder.name.startsWith("builtin") ? FEEDBACK.builtin : FEEDBACK.learned)
  const rows = text.slice(0, FEEDBACK_PASSAGES).map(({ row }) => row)
  const vectors = [...(await index.vectors(embedder.name, rows)).values()].filter((v) => v.length === query.length)
  return beta > 0 && vectors.length > 0 ? drawn(query, vectors, beta) : query
}

/**
 * The passages that fit a question best: full text (BM25 over stems) and vectors, fused by rank, without
 * near-duplicates.
 * @throws AppError `unavailable` when the embedding model cannot be reached
 */
export const retrieve = async (
  deps: RetrieveDeps,
  embedder: Embedder,
  { question, scope, topK, signal }: { question: string; scope: QueryScope; topK: number; signal: AbortSignal },
): Promise<Retrieved[]> => {
  const { index, config } = deps
  const { textWeight, vectorWeight } = config.documents
  const p = { scope, limit: DEPTH }
  const text = await index.searchText(searchWords(question), p)
  const [query] = await embedder.embed([question], "query", signal)
  const near = await index.searchVectors(embedder.name, await withFeedback(deps, embedder, query!, text), p)
  const fused = fuse([
    { hits: text, weight: textWeight },
    { hits: near, weight: vectorWeight },
  ]).slice(0, Math.max(DEPTH, topK))
  const vectors = await index.vectors(
    embedder.name,
    fused.map(({ row }) => row),
  )
  const best = diversify(fused, vectors, topK)
  const scores = new Map(best.map(({ row, score }) => [row, score]))
  const chunks = await index.chunks(best.map(({ row }) => row))
  return chunks.map((chunk) => ({ chunk, score: scores.get(chunk.row)! }))
}
