import type { QueryCitation } from "../../domain/documents.ts"
import { stem } from "../../domain/text/stem.ts"
import { normalizeWord } from "../../domain/text/tokens.ts"
import { splitUtterances } from "../../domain/text/utterances.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { type CitedSentence, extractCitedSentences } from "../../engines/language/citations.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { loadChunkWords, loadSpeakerNames, TIME_TOLERANCE_S } from "./chunk-words.ts"
import { isSearchContentWord, splitSearchWords } from "./query-terms.ts"

/** An utterance supports a claim if the Dice coefficient (Dice 1945) of their word stems is above this. */
const MIN_SIMILARITY = 0.25

/**
 * Returns the citations of an answer in order. A citation of a recording gets the time at which the cited sentence was
 * spoken, or the start of the chunk if that is not found.
 */
export const locateCitations = (
  deps: Pick<Deps, "index" | "store">,
  answer: string,
  chunks: readonly StoredChunk[],
): Promise<QueryCitation[]> => locateSentences(deps, extractCitedSentences(answer), chunks)

/** Returns where sentences are said, and by whom. */
export const locateSentences = async (
  deps: Pick<Deps, "index" | "store">,
  sentences: readonly CitedSentence[],
  chunks: readonly StoredChunk[],
): Promise<QueryCitation[]> => {
  const cited = [...new Set(sentences.map(({ source }) => chunks[source - 1]!))]
  const words = await loadChunkWords(deps, cited)
  const names = await loadSpeakerNames(deps, cited)
  return sentences.map(({ source, text }): QueryCitation => {
    const { row, metadata } = chunks[source - 1]!
    const own = words.get(row) ?? []
    const start_s = findClaimTime(own, text) ?? metadata.start_s
    const id = own.findLast(({ start }) => start_s !== undefined && start <= start_s + TIME_TOLERANCE_S)?.speaker
    const speaker = id === undefined ? undefined : names.get(metadata.source)?.[id]
    return { source, ...(start_s !== undefined && { start_s }), ...(speaker && { speaker }) }
  })
}

/**
 * Returns the time in seconds at which a claim was spoken: the start of its literal quotation, or of the most similar
 * utterance. Returns undefined if no utterance is similar enough.
 */
export const findClaimTime = (words: readonly WordSpan[], claim: string): number | undefined => {
  const quoted_s = findQuotation(words, claim)
  if (quoted_s !== undefined) return quoted_s
  const stems = collectContentStems(claim)
  let best = { score: MIN_SIMILARITY, start_s: undefined as number | undefined }
  for (const { first, end, start_s } of splitUtterances(words)) {
    const text = words.slice(first, end).map((word) => word.word)
    const score = computeDice(stems, collectContentStems(text.join(" ")))
    if (score > best.score) best = { score, start_s }
  }
  return best.start_s
}

const tokenize = (text: string): string[] => text.split(/\s+/).map(normalizeWord).filter(Boolean)

/** Returns the start of the first place where the words of the claim follow each other. */
const findQuotation = (words: readonly WordSpan[], claim: string): number | undefined => {
  const tokens = words.flatMap(({ word, start }) => tokenize(word).map((text) => ({ text, start })))
  const wanted = tokenize(claim)
  if (wanted.length === 0) return undefined
  for (let i = 0; i + wanted.length <= tokens.length; i++)
    if (wanted.every((text, k) => tokens[i + k]!.text === text)) return tokens[i]!.start
  return undefined
}

const collectContentStems = (text: string): Set<string> =>
  new Set(splitSearchWords(text).filter(isSearchContentWord).map(stem))

const computeDice = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return (2 * shared) / Math.max(1, a.size + b.size)
}
