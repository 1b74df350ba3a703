import type { SearchAnswer, SearchQuery, TopicHit, WordsHit } from "../../domain/search.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import { excerpt, highlight } from "../../storage/stores/search/highlights.ts"
import { type Deps, requireStore } from "../deps.ts"
import { indexClipsQuickly } from "../documents/index-clips.ts"
import { loadChunkWords } from "./chunk-words.ts"
import { type CoverageTest, loadCoverageTest } from "./coverage.ts"
import { isSearchContentWord } from "./query-terms.ts"
import { keepBestOfTopic, rankTopicsByWords } from "./rank-topics.ts"
import { FUSION_DEPTH, rowsOf } from "./ranking.ts"
import { demoteRepeatedTopics, searchChunks } from "./search-chunks.ts"
import { loadTopicIndex } from "./topic-index.ts"
import { choosePassages } from "./topic-passages.ts"

/** How many times the wanted number of topics are examined, because some do not contain enough of the query. */
const EXAMINED = 3

type SearchDeps = Pick<Deps, "config" | "engines" | "groups" | "index" | "log" | "store">

/**
 * Searches titles, topics and transcripts. The texts that contain every word of the query come first. Up to the limit,
 * the topics and passages follow that a question with these words would be answered from.
 */
export const searchLibrary = async (deps: SearchDeps, query: SearchQuery): Promise<SearchAnswer> => {
  const { q, limit } = query
  const exact = await requireStore(deps).library.search(query)
  const words = splitWords(q)
  const isFull = exact.topics.length >= limit && exact.words.length >= limit
  if (words.length === 0 || isFull) return exact
  await indexClipsQuickly(deps, new AbortController().signal)
  const { hits, topics } = await searchChunks(deps, q, { scope: "clips" })
  const ranked = (topics ? demoteRepeatedTopics(hits, topics) : hits).slice(0, FUSION_DEPTH)
  const search = {
    ...query,
    words: selectMarkedWords(words),
    isCovered: await loadCoverageTest(deps.index, q, { scope: "clips" }),
    chunks: await deps.index.getChunks(rowsOf(ranked)),
  }
  return {
    titles: exact.titles,
    topics: await addTopics(deps, search, exact.topics),
    words: await addPassages(deps, search, exact.words),
    notes: exact.notes,
  }
}

type Search = SearchQuery & {
  /** The words to mark. */
  readonly words: readonly string[]
  readonly isCovered: CoverageTest
  /** The passages that match the query, best first. */
  readonly chunks: readonly StoredChunk[]
}

/** Common words are marked only in a query of common words. */
const selectMarkedWords = (words: readonly string[]): readonly string[] => {
  const content = words.filter((word) => isSearchContentWord(normalizeWord(word)))
  return content.length > 0 ? content : words
}

/** Adds the best other topics up to the limit, with an excerpt of what is said in them. */
const addTopics = async (
  deps: SearchDeps,
  { q, limit, words, isCovered, chunks }: Search,
  exact: readonly TopicHit[],
) => {
  const index = await loadTopicIndex(requireStore(deps))
  const { topics, clips } = index.snapshot
  const known = new Set(exact.map(({ clip_id, number }) => `${clip_id} ${number}`))
  const others = keepBestOfTopic(rankTopicsByWords(index, q), index)
    .map(({ row }) => topics[row]!)
    .filter(({ clip_id, number }) => !known.has(`${clip_id} ${number}`))
    .slice(0, EXAMINED * limit)
  const passages = choosePassages(chunks, others)
  const clipTitles = new Map(clips.map(({ id, title }) => [id, title]))
  const added = others.flatMap(({ clip_id, title, number, start_s }, i): TopicHit[] => {
    const text = passages[i]?.text
    if (text === undefined || !isCovered([title, text])) return []
    const clip_title = clipTitles.get(clip_id) ?? ""
    return [{ clip_id, clip_title, title, number, start_s, ...excerpt(highlight(text, words)) }]
  })
  return [...exact, ...added].slice(0, limit)
}

/** Adds the best other passages up to the limit, each from where its first matching word is said. */
const addPassages = async (
  deps: SearchDeps,
  { limit, words, isCovered, chunks }: Search,
  exact: readonly WordsHit[],
) => {
  const others: StoredChunk[] = []
  for (const chunk of chunks) {
    if (exact.length + others.length >= limit) break
    if (!exact.some((hit) => isSaidIn(hit, chunk)) && isCovered([chunk.text])) others.push(chunk)
  }
  const wordsOf = await loadChunkWords(deps, others)
  const added = others.map(({ row, text, metadata }): WordsHit => {
    const found = highlight(text, words)
    const wordsBefore = text.slice(0, found.marks[0]?.[0] ?? 0).split(" ").length - 1
    const first = wordsOf.get(row)?.[wordsBefore]
    const { source, title = "", start_s = 0 } = metadata
    const spoken = { speaker: first?.speaker ?? "0", start_s: first?.start ?? start_s }
    return { clip_id: source, clip_title: title, ...spoken, ...excerpt(found) }
  })
  return [...exact, ...added]
}

const isSaidIn = ({ clip_id, start_s }: WordsHit, { metadata }: StoredChunk): boolean =>
  clip_id === metadata.source && start_s >= (metadata.start_s ?? 0) && start_s <= (metadata.end_s ?? 0)
