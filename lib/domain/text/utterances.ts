import type { WordSpan } from "../transcript/words.ts"

/** A segment of speech within which no topic begins: words `first` to `end` (exclusive). */
export type Utterance = {
  readonly first: number
  readonly end: number
  readonly start_s: number
  readonly end_s: number
  readonly speaker: string
  /** Silence before it, in seconds, at least 0. */
  readonly pause_s: number
  /** True if another speaker spoke before it. */
  readonly startsTurn: boolean
}

/** A silence of this length always ends an utterance. */
const LONG_PAUSE_S = 0.6
/** A silence of this length ends a sentence in a transcript without punctuation. */
const SENTENCE_PAUSE_S = 0.4
/** Longer utterances are split at their longest silence. */
const MAX_WORDS = 60
/** While speakers overlap, a turn needs at least this many consecutive words. */
const MIN_TURN_WORDS = 3

const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u
/** Abbreviations and initials whose full stop does not end a sentence. */
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|prof|sen|rep|gov|gen|jr|sr|vs|no|inc|corp|assn|u\.s|e\.g|i\.e|\p{Lu})\.$/iu

/** Returns true if a word, with its punctuation, ends a sentence. */
export const endsSentence = (word: string): boolean => SENTENCE_END.test(word) && !ABBREVIATION.test(word)

/** Returns true if words `first` to `end` (exclusive) have at least one sentence mark per sixty words. */
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
    // Prefers the silence nearest to the middle among equal ones.
    const score = silence - Math.abs(i - (first + end) / 2) * 1e-4
    if (longest === -1 || score > longest) {
      longest = score
      best = i
    }
  }
  return best
}

/**
 * Splits a transcript into utterances at speaker changes, at silences and after sentence punctuation, and splits long ones
 * again at their longest silence. The utterances cover all words in order. Runs in linear time.
 */
export const splitUtterances = (words: readonly WordSpan[]): Utterance[] => {
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
      startsTurn: before !== undefined && before.speaker !== head.speaker,
    })
  }
  let first = 0
  let turnStart = 0
  for (let i = 1; i <= words.length; i++) {
    const word = words[i]
    const before = words[i - 1]!
    const isNewSpeaker = word !== undefined && word.speaker !== before.speaker
    // Words of overlapping speakers alternate; a few of them are not a turn.
    const isOverlap = isNewSpeaker && word.start < before.end && i - turnStart < MIN_TURN_WORDS
    if (isNewSpeaker) turnStart = i
    if (
      word === undefined ||
      (isNewSpeaker && !isOverlap) ||
      word.start - before.end >= pauseSeconds ||
      endsSentence(before.word)
    ) {
      push(first, i)
      first = i
    }
  }
  return list
}

/** Limits of a sentence without punctuation: a silence does not end it earlier, and it ends at the latest here. */
const MIN_SENTENCE_WORDS = 8
const MAX_SENTENCE_WORDS = 30

/**
 * Splits words `first` to `end` (exclusive) into sentences at speaker changes and punctuation, or at silences if there is
 * no punctuation. Returns word ranges that cover all words in order; `end` is exclusive.
 */
export const splitSpokenSentences = (
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
    const isComplete =
      i === end ||
      word === undefined ||
      word.speaker !== before.speaker ||
      (punctuated
        ? endsSentence(before.word)
        : length >= MAX_SENTENCE_WORDS || (length >= MIN_SENTENCE_WORDS && word.start - before.end >= SENTENCE_PAUSE_S))
    if (!isComplete) continue
    list.push({ first: from, end: i })
    from = i
  }
  return list
}
