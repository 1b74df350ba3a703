import type { WordSpan } from "../contracts/words.ts"

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

export type UtteranceOptions = {
  /** A silence of this many seconds ends an utterance. */
  readonly pauseSeconds: number
  /** A longer utterance without punctuation is parted at its longest silence. */
  readonly maxWords: number
}

const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u
/** Titles and initials after which a full stop ends no sentence. */
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|prof|sen|rep|gov|gen|jr|sr|vs|no|inc|corp|assn|u\.s|e\.g|i\.e|\p{Lu})\.$/iu

/** Whether a word as written ends a sentence. */
export const endsSentence = (word: string): boolean => SENTENCE_END.test(word) && !ABBREVIATION.test(word)

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
export const utterancesOf = (
  words: readonly WordSpan[],
  { pauseSeconds, maxWords }: UtteranceOptions = { pauseSeconds: 0.6, maxWords: 60 },
): Utterance[] => {
  const list: Utterance[] = []
  const push = (first: number, end: number): void => {
    if (end - first > maxWords) {
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
  for (let i = 1; i <= words.length; i++) {
    const word = words[i]
    const before = words[i - 1]!
    if (
      word === undefined ||
      word.speaker !== before.speaker ||
      word.start - before.end >= pauseSeconds ||
      endsSentence(before.word)
    ) {
      push(first, i)
      first = i
    }
  }
  return list
}
