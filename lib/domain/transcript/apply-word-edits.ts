import { findFirstWordFrom } from "../partition-point.ts"
import type { WordEdit } from "./word-edits.ts"
import type { WordSpan } from "./words.ts"

/** The midpoint of a word is at most half of this after its start, which bounds the search for the words of a span. */
const MAX_WORD_S = 30

type Span = { readonly start_s: number; readonly end_s: number; readonly of?: string | undefined }

const midpoint = (word: WordSpan): number => (word.start + word.end) / 2

/** Returns the indexes of the words in a span; only those of speaker `of`, if that speaker has any there. */
const findWordsInSpan = (words: readonly WordSpan[], { start_s, end_s, of }: Span): number[] => {
  const found: number[] = []
  for (let i = findFirstWordFrom(words, start_s - MAX_WORD_S); i < words.length && words[i]!.start <= end_s; i++) {
    const time = midpoint(words[i]!)
    if (time >= start_s && time <= end_s) found.push(i)
  }
  const bySpeaker = found.filter((i) => words[i]!.speaker === of)
  return bySpeaker.length > 0 ? bySpeaker : found
}

/**
 * Spreads new words over the time of the words they replace. Equal numbers of words keep their times one to one; otherwise
 * each new word gets time in proportion to its letters.
 */
const replaceWords = (replaced: readonly WordSpan[], texts: readonly string[]): WordSpan[] => {
  if (replaced.length === texts.length) return replaced.map((word, i) => ({ ...word, word: texts[i]! }))
  const { start, speaker } = replaced[0]!
  const end = replaced.reduce((latest, word) => Math.max(latest, word.end), start)
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let passed = 0
  return texts.map((word) => {
    const from = start + ((end - start) * passed) / letters
    passed += word.length
    return { word, start: from, end: start + ((end - start) * passed) / letters, speaker }
  })
}

/** Applies word edits to the original words of a transcript. The result is ordered by start time, like the input. */
export const applyWordEdits = (original: readonly WordSpan[], edits: readonly WordEdit[]): WordSpan[] => {
  let words = [...original]
  for (const edit of edits) {
    if (edit.kind === "merge") {
      words = words.map((word) => (word.speaker === edit.from ? { ...word, speaker: edit.into } : word))
      continue
    }
    const indexes = findWordsInSpan(words, edit)
    if (indexes.length === 0) continue
    if (edit.kind === "speaker") {
      for (const i of indexes) words[i] = { ...words[i]!, speaker: edit.speaker }
      continue
    }
    const replacement = replaceWords(
      indexes.map((i) => words[i]!),
      edit.words,
    )
    const removed = new Set(indexes)
    // Speakers may overlap, so a new word can start after the word that follows the span.
    words = [...words.filter((_, i) => !removed.has(i)), ...replacement].sort((a, b) => a.start - b.start)
  }
  return words
}
