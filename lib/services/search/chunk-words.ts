import { endsSentence, splitSpokenSentences } from "../../domain/text/utterances.ts"
import { joinWords } from "../../domain/transcript/word-timings.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"

/** Allows for rounding of times in the database. */
export const TIME_TOLERANCE_S = 0.001

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

/** The names of the speakers of each clip, by the ID of the speaker. */
type SpeakerNames = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Returns the names that users gave to the speakers of the clips that the chunks are from. */
export const loadSpeakerNames = async (
  { store }: Pick<WordDeps, "store">,
  chunks: readonly StoredChunk[],
): Promise<SpeakerNames> => {
  const ids = [...new Set(chunks.filter(({ kind }) => kind === "clip").map(({ metadata }) => metadata.source))]
  const found = store && ids.length > 0 ? (await store.clips.list({ ids, limit: ids.length })).clips : []
  return new Map(found.map(({ id, speakers }) => [id, speakers]))
}

/**
 * Returns the texts of chunks for the answerer. In a transcript without punctuation, inserts an empty line at each pause
 * that may end a sentence, so that an answer can quote a sentence instead of the whole chunk.
 * @param speakers if given, only what speakers with these names say in recordings
 */
export const toAnswerTexts = async (
  deps: WordDeps,
  chunks: readonly StoredChunk[],
  speakers?: readonly string[],
): Promise<string[]> => {
  const isUnpunctuated = ({ text }: StoredChunk): boolean => !text.split(/\s+/).some(endsSentence)
  const words = await loadChunkWords(deps, speakers ? chunks : chunks.filter(isUnpunctuated))
  const names = speakers && (await loadSpeakerNames(deps, chunks))
  const wanted = new Set(speakers?.map((name) => name.toLowerCase()))
  return chunks.map(({ row, text, metadata: { source } }) => {
    const own = words.get(row)
    if (!own) return text
    const isWanted = ({ speaker }: WordSpan): boolean => wanted.has(names?.get(source)?.[speaker]?.toLowerCase() ?? "")
    return joinSentences(names ? own.filter(isWanted) : own)
  })
}

const joinSentences = (words: readonly WordSpan[]): string =>
  splitSpokenSentences(words)
    .map(({ first, end }) => joinWords(words.slice(first, end)))
    .join("\n\n")
