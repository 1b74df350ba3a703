import { endsSentence, splitSpokenSentences } from "../../domain/text/utterances.ts"
import { joinWords } from "../../domain/transcript/word-timings.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"

/** Allows for rounding of times in the database. */
const TIME_TOLERANCE_S = 0.001

type WordDeps = Pick<Deps, "index" | "store">

/**
 * Returns the words of chunks by row number. Chunks of clips that an older version indexed lack words, so theirs come
 * from the transcript. Chunks of documents and of deleted clips are absent.
 */
export const loadChunkWords = async (
  { index, store }: WordDeps,
  chunks: readonly StoredChunk[],
): Promise<ReadonlyMap<number, readonly WordSpan[]>> => {
  const spoken = chunks.filter(({ kind }) => kind === "clip")
  const words = new Map(await index.getWords(spoken.map(({ row }) => row)))
  const transcripts = new Map<string, readonly WordSpan[]>()
  for (const { row, metadata } of spoken) {
    if (words.has(row)) continue
    const { source, start_s = 0, end_s = 0 } = metadata
    const transcript = transcripts.get(source) ?? (await store?.clips.get(source))?.transcription ?? []
    transcripts.set(source, transcript)
    const own = transcript.filter(({ start }) => start >= start_s - TIME_TOLERANCE_S && start <= end_s)
    if (own.length > 0) words.set(row, own)
  }
  return words
}

/**
 * Returns the texts of chunks for the answerer. In a transcript without punctuation, inserts an empty line at each pause
 * that may end a sentence, so that an answer can quote a sentence instead of the whole chunk.
 */
export const insertSentenceBreaks = async (deps: WordDeps, chunks: readonly StoredChunk[]): Promise<string[]> => {
  const words = await loadChunkWords(
    deps,
    chunks.filter(({ text }) => !text.split(/\s+/).some(endsSentence)),
  )
  return chunks.map(({ row, text }) => {
    const own = words.get(row)
    return own ? joinSentences(own) : text
  })
}

const joinSentences = (words: readonly WordSpan[]): string =>
  splitSpokenSentences(words)
    .map(({ first, end }) => joinWords(words.slice(first, end)))
    .join("\n\n")
