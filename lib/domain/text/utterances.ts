import type { WordSpan } from "../transcript/words.ts"

/** A stretch of speech that is not to be cut: words `first` to `end` (exclusive) of one speaker. */
export type Utterance = {
  readonly first: number
  readonly end: number
  readonly start_s: number
  readonly end_s: number
  readonly speaker: string
  /** Silence before it in seconds, at least 0. */
  readonly pause_s: number
  /** Whether another speaker spoke before it. */
  readonly turn: boolean
}

/** A silence of this many seconds ends an utterance, punctuated or not. */
const LONG_PAUSE_S = 0.6
/** Where no punctuation is written, sentences end at silences of this many seconds. */
const SENTENCE_PAUSE_S = 0.4
/** A longer utterance is parted at its longest silence. */
const MAX_WORDS = 60
/** While voices overlap, a speaker has the floor from this many words in a row on. */
const MIN_RUN = 3

const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u
/** Titles and initials after which a full stop ends no sentence. */
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|prof|sen|rep|gov|gen|jr|sr|vs|no|inc|corp|assn|u\.s|e\.g|i\.e|\p{Lu})\.$/iu

/** Whether a word as written ends a sentence. */
export const endsSentence = (word: string): boolean => SENTENCE_END.test(word) && !ABBREVIATION.test(word)

/** Whether words `first` to `end` (exclusive) carry sentence punctuation: at least one mark in sixty words. */
export const isPunctuated = (words: readonly WordSpan[], first = 0, end = words.length): boolean => {
  let marks = 0
  for (let i = first; i < end; i++) if (endsSentence(words[i]!.word)) marks++
  return marks * 60 >= end - first
}

const longestSilence = (words: readonly WordSpan[], first: number, end: number): number => {
  const margin = Math.max(1, Math.floor((end - first) / 4))
  let best = first + margin
  let longest = -1
  for (let i = first + margin; i <= end - margin && i < end; i++) {
    const silence = words[i]!.start - words[i - 1]!.end
    // Of equal silences the one nearest to the middle.
    const score = silence - Math.abs(i - (first + end) / 2) * 1e-4
    if (longest === -1 || score > longest) {
      longest = score
      best = i
    }
  }
  return best
}

/**
 * Parts a transcript into utterances: at turns, at silences, after sentence punctuation; what is still too long is
 * halved at its longest silence. They cover all words in order. Linear in the number of words.
 */
export const utterancesOf = (words: readonly WordSpan[]): Utterance[] => {
  const pauseSeconds = isPunctuated(words) ? LONG_PAUSE_S : SENTENCE_PAUSE_S
  const list: Utterance[] = []
  const push = (first: number, end: number): void => {
    if (end - first > MAX_WORDS) {
      const middle = longestSilence(words, first, end)
      push(first, middle)
      push(middle, end)
      return
    }
    const before = words[first - 1]
    const head = words[first]!
    list.push({
      first,
      end,
      start_s: head.start,
      end_s: Math.max(words[end - 1]!.end, head.end),
      speaker: head.speaker,
      pause_s: before ? Math.max(0, head.start - before.end) : 0,
      turn: before !== undefined && before.speaker !== head.speaker,
    })
  }
  let first = 0
  let run = 0
  for (let i = 1; i <= words.length; i++) {
    const word = words[i]
    const before = words[i - 1]!
    const turn = word !== undefined && word.speaker !== before.speaker
    // People who talk at once interleave word by word: that is no turn.
    const together = turn && word.start < before.end && i - run < MIN_RUN
    if (turn) run = i
    if (
      word === undefined ||
      (turn && !together) ||
      word.start - before.end >= pauseSeconds ||
      endsSentence(before.word)
    ) {
      push(first, i)
      first = i
    }
  }
  return list
}

/** Words of a sentence where no punctuation is written: no silence ends it sooner, and none is needed to end it later. */
const MIN_SENTENCE = 8
const MAX_SENTENCE = 30

/**
 * Parts words `first` to `end` (exclusive) into sentences as spoken, `[first, end)` each, covering all in order: at
 * turns and at punctuation, or where none is written at silences.
 */
export const spokenSentences = (
  words: readonly WordSpan[],
  first = 0,
  end = words.length,
): { readonly first: number; readonly end: number }[] => {
  const punctuated = isPunctuated(words, first, end)
  const list: { first: number; end: number }[] = []
  let from = first
  for (let i = first + 1; i <= end; i++) {
    const word = words[i]
    const before = words[i - 1]!
    const length = i - from
    const over =
      i === end ||
      word === undefined ||
      word.speaker !== before.speaker ||
      (punctuated
        ? endsSentence(before.word)
        : length >= MAX_SENTENCE || (length >= MIN_SENTENCE && word.start - before.end >= SENTENCE_PAUSE_S))
    if (!over) continue
    list.push({ first: from, end: i })
    from = i
  }
  return list
}
