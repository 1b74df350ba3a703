import type { Clip } from "../domain/clips.ts"
import { splitUtterances } from "../domain/text/utterances.ts"
import { joinWords } from "../domain/transcript/word-timings.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import type { ChunkDraft } from "./split.ts"

/** Chunks of speech are shorter than those of text, because playback starts at the beginning of a cited chunk. */
const MAX_SECONDS = 90
const MAX_CHARACTERS = 700

/** A chunk of speech with its words. */
type SpokenChunk = ChunkDraft & { readonly words: readonly WordSpan[] }

const toChunk = (clip: Pick<Clip, "title">, words: readonly WordSpan[]): SpokenChunk => ({
  text: joinWords(words),
  context: clip.title,
  metadata: {
    title: clip.title,
    start_s: words[0]!.start,
    end_s: words.reduce((end, w) => Math.max(end, w.end), 0),
  },
  words,
})

/**
 * Splits a transcript into chunks of whole utterances, with at most `chunkSize` characters and 90 s each. A longer utterance
 * is a chunk of its own. The chunks contain every word, in order.
 */
export const splitTranscript = (clip: Pick<Clip, "title" | "transcription">, chunkSize: number): SpokenChunk[] => {
  const { transcription: words } = clip
  const maxCharacters = Math.min(chunkSize, MAX_CHARACTERS)
  const chunks: SpokenChunk[] = []
  let first = 0
  let end = 0
  let characters = 0
  for (const utterance of splitUtterances(words)) {
    const length = words.slice(utterance.first, utterance.end).reduce((sum, w) => sum + w.word.length + 1, 0)
    const isFull = characters + length > maxCharacters || utterance.end_s - (words[first]?.start ?? 0) > MAX_SECONDS
    if (end > first && isFull) {
      chunks.push(toChunk(clip, words.slice(first, end)))
      first = end
      characters = 0
    }
    end = utterance.end
    characters += length
  }
  if (end > first) chunks.push(toChunk(clip, words.slice(first, end)))
  return chunks
}
