import type { ChunkScope, DocumentIndex, Hit } from "../../storage/stores/ports/documents.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { buildExpansionTerms, buildSearchTerms, mergeExpansionHits } from "./query-terms.ts"
import { FUSION_DEPTH, rowsOf, sortHits } from "./ranking.ts"
import { loadTopicIndex, type TopicIndex } from "./topic-index.ts"

/** The number of hits of each full-text search. Deep enough that a hit in only one of the two cannot reach the top. */
const MAX_TEXT_HITS = 500
/** The number of best full-text hits that are assumed to be relevant. */
const FEEDBACK_CHUNKS = 5
/** The weight of the score of a chunk's topic, compared with its own. */
const TOPIC_WEIGHT = 0.5
/** Chunks of the same topic after these are moved back, so that the best chunks come from several topics. */
const MAX_CHUNKS_PER_TOPIC = 2

type SearchDeps = Pick<Deps, "config" | "index" | "store">
type Settings = SearchDeps["config"]["documents"]

export type ChunkHits = {
  /** Best first. */
  readonly hits: readonly Hit[]
  /** The hits that are assumed to be relevant. */
  readonly feedback: readonly Hit[]
  /** Null if the scope contains no recordings. */
  readonly topics: ChunkTopics | null
}

/**
 * Searches chunks by their words: BM25 over word stems and phrases, with pseudo-relevance feedback from the best hits. A
 * chunk of a recording gets a share of its topic's score.
 */
export const searchChunks = async (
  { index, store, config }: SearchDeps,
  question: string,
  scope: ChunkScope,
): Promise<ChunkHits> => {
  const { feedback, hits } = await searchText(index, question, scope, config.documents)
  if (!store || scope.scope === "documents") return { feedback, hits, topics: null }
  const best = hits.slice(0, FUSION_DEPTH)
  const topics = await findTopics(index, store, best)
  return { feedback, hits: addTopicScores(best, topics, question), topics }
}

/** The topics of the chunks of recordings, by row: positions in `index`. Other chunks are absent. */
export type ChunkTopics = { readonly index: TopicIndex; readonly topicOf: ReadonlyMap<number, number> }

const findTopics = async (
  documents: DocumentIndex,
  store: Pick<Store, "map">,
  hits: readonly Hit[],
): Promise<ChunkTopics> => {
  const index = await loadTopicIndex(store)
  const { topicOfChunk } = index
  const rows = rowsOf(hits)
  for (const { row, metadata } of await documents.getChunks(rows.filter((row) => !topicOfChunk.has(row)))) {
    const { source, start_s = 0, end_s = 0 } = metadata
    topicOfChunk.set(row, index.findMainTopic(source, (start_s + end_s) / 2))
  }
  const found = rows.map((row): [number, number] => [row, topicOfChunk.get(row) ?? -1])
  return { index, topicOf: new Map(found.filter(([, topic]) => topic >= 0)) }
}

/**
 * Adds to each chunk a share of its topic's score, because a chunk is about more than the words in it. A chunk of a
 * document counts as its own topic, so that recordings are not preferred to documents.
 */
const addTopicScores = (hits: readonly Hit[], { index, topicOf }: ChunkTopics, question: string): Hit[] => {
  const scores = index.score(question)
  const maxTopic = Math.max(...[...topicOf.values()].map((topic) => scores[topic]!), Number.MIN_VALUE)
  const maxChunk = hits[0]?.score ?? 1
  const combined = hits.map(({ row, score }): [number, number] => {
    const topic = topicOf.get(row)
    const ownScore = score / maxChunk
    return [row, ownScore + TOPIC_WEIGHT * (topic === undefined ? ownScore : scores[topic]! / maxTopic)]
  })
  return sortHits(new Map(combined))
}

/** Moves chunks of a topic behind the others if better chunks of the topic precede them. */
export const demoteRepeatedTopics = (hits: readonly Hit[], { topicOf }: ChunkTopics): Hit[] => {
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
const searchText = async (index: DocumentIndex, question: string, scope: ChunkScope, settings: Settings) => {
  const options = { ...scope, limit: MAX_TEXT_HITS }
  const terms = buildSearchTerms(question, settings.phraseWeight)
  const hits = await index.searchText(terms, options)
  const feedback = hits.slice(0, FEEDBACK_CHUNKS)
  if (settings.expansion === 0 || feedback.length === 0) return { feedback, hits }
  const scores = new Map(feedback.map(({ row, score }) => [row, score]))
  const chunks = (await index.getChunks(rowsOf(feedback))).map(({ row, text }) => ({ text, score: scores.get(row)! }))
  const expansionHits = await index.searchText(buildExpansionTerms(chunks), options)
  return { feedback, hits: mergeExpansionHits({ terms, hits }, expansionHits, settings.expansion) }
}
