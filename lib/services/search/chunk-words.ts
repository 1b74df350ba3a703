import { isAbsolute } from "node:path"
import type { QuerySource } from "../../domain/documents.ts"
import { endsSentence, splitSpokenSentences } from "../../domain/text/utterances.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { Deps } from "../deps.ts"

/** Allows for rounding of times in the database. */
const TIME_TOLERANCE_S = 0.001

/** Returns the words of a chunk. Returns an empty list for a document or a deleted clip. */
export const loadChunkWords = async (
  { store }: Pick<Deps, "store">,
  { chunk }: QuerySource,
): Promise<readonly WordSpan[]> => {
  const { source, start_s, end_s } = chunk.metadata
  if (start_s === undefined || end_s === undefined || isAbsolute(source)) return []
  const words = (await store?.clips.get(source))?.transcription ?? []
  return words.filter((word) => word.start >= start_s - TIME_TOLERANCE_S && word.start <= end_s)
}

/**
 * Returns the text of a chunk for the answerer. In a transcript without punctuation, inserts an empty line at each pause
 * that may end a sentence, so that an answer can quote a sentence instead of the whole chunk.
 */
export const insertSentenceBreaks = async (deps: Pick<Deps, "store">, source: QuerySource): Promise<string> => {
  const { text, metadata } = source.chunk
  if (metadata.start_s === undefined || text.split(/\s+/).some(endsSentence)) return text
  const words = await loadChunkWords(deps, source)
  const sentences = splitSpokenSentences(words).map(({ first, end }) => words.slice(first, end).map(({ word }) => word))
  return sentences.map((sentence) => sentence.join(" ")).join("\n\n") || text
}
