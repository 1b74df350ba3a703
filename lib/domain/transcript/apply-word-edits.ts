import { createEditableWords, type EditableWord, type EditableWords, type Place } from "./editable-words.ts"
import { createSpeakerLabels, type SpeakerLabels } from "./speaker-labels.ts"
import type { WordEdit } from "./word-edits.ts"
import type { WordSpan } from "./words.ts"

/** The midpoint of a word is at most half of this after its start, which bounds the search for the words of a span. */
const MAX_WORD_S = 30

type Span = { readonly start_s: number; readonly end_s: number; readonly of?: string | undefined }

const midpoint = (word: WordSpan): number => (word.start + word.end) / 2

type PlacedWord = { readonly word: EditableWord; readonly place: Place }
type Visit = (word: EditableWord, slot: number, index: number) => void

/** Visits the words in a span; only those of speaker `of`, if that speaker has any there. */
const visitSpan = (
  words: EditableWords,
  { start_s, end_s, of }: Span,
  { nameOf }: SpeakerLabels,
  call: Visit,
): void => {
  const visitAll = (visit: Visit) =>
    words.visit(start_s - MAX_WORD_S, end_s, (word, slot, index) => {
      const time = midpoint(word)
      if (time >= start_s && time <= end_s) visit(word, slot, index)
    })
  let hasOwn = false
  if (of !== undefined)
    visitAll((word) => {
      hasOwn ||= nameOf(word.speaker) === of
    })
  visitAll((word, slot, index) => {
    if (!hasOwn || nameOf(word.speaker) === of) call(word, slot, index)
  })
}

/**
 * Spreads new words over the time of the words they replace. Equal numbers of words keep their times one to one; otherwise
 * each new word gets time in proportion to its letters.
 */
export const spreadWords = (replaced: readonly WordSpan[], texts: readonly string[]): WordSpan[] => {
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

/** Replaces words. The first new word takes the place of the first replaced one, also among words with the same start. */
const replaceWords = (words: EditableWords, replaced: readonly PlacedWord[], texts: readonly string[]): void => {
  const replacement = spreadWords(
    replaced.map(({ word }) => word),
    texts,
  )
  if (replacement.length === replaced.length) {
    for (const [i, { place }] of replaced.entries()) words.set(place, replacement[i]!)
    return
  }
  const [firstReplaced, ...otherReplaced] = replaced
  const [firstWord, ...otherWords] = replacement
  const { place: firstPlace } = firstReplaced!
  for (const { place } of otherReplaced.toReversed()) words.remove(place)
  if (firstWord === undefined) {
    words.remove(firstPlace)
    return
  }
  words.set(firstPlace, firstWord)
  let last = { place: firstPlace, start: firstWord.start }
  for (const word of otherWords) {
    const { slot, index } = last.place
    // Speakers may overlap, so a new word can start after the word that follows the span.
    const place = word.start === last.start ? { slot, index: index + 1 } : words.placeOf(word.start)
    words.insertAt(place, word)
    last = { place, start: word.start }
  }
}

/**
 * Applies word edits to the original words of a transcript, each to the result of the ones before. The result is ordered by
 * start time, like the input. Takes time in proportion to the words and to the words in the spans of the edits.
 */
export const applyWordEdits = (original: readonly WordSpan[], edits: readonly WordEdit[]): WordSpan[] => {
  const words = createEditableWords(original)
  const speakers = createSpeakerLabels(new Set(original.map((word) => word.speaker)))
  for (const edit of edits) {
    if (edit.kind === "merge") {
      speakers.merge(edit.from, edit.into)
      continue
    }
    if (edit.kind === "speaker") {
      const label = speakers.labelOf(edit.speaker)
      visitSpan(words, edit, speakers, (word) => {
        word.speaker = label
      })
      continue
    }
    const replaced: PlacedWord[] = []
    visitSpan(words, edit, speakers, (word, slot, index) => replaced.push({ word, place: { slot, index } }))
    if (replaced.length > 0) replaceWords(words, replaced, edit.words)
  }
  const edited = words.toWords()
  for (const word of edited) word.speaker = speakers.nameOf(word.speaker)
  return edited
}
