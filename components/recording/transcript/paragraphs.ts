import { partitionPoint } from "#lib/domain/partition-point.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** A paragraph of the transcript: words `first` to `end` (exclusive) of one speaker, with times in seconds. */
export type ParagraphSpan = {
  readonly first: number
  readonly end: number
  readonly speaker: string
  readonly start_s: number
  readonly end_s: number
}

/** A paragraph that reaches either target ends at the next sentence end or pause, and at twice the target words at the latest. */
const TARGET_S = 40
const TARGET_WORDS = 90
const MIN_PAUSE_S = 0.5
/** A shorter turn that overlaps another speaker's words is part of that speaker's paragraph. */
const MIN_TURN_WORDS = 3
const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u

/**
 * Splits a transcript into paragraphs at speaker turns, at topic boundaries (`cuts`, ascending seconds) and, in long turns,
 * at sentence ends and pauses. The paragraphs cover all words in order.
 */
export const splitIntoParagraphs = (words: readonly WordSpan[], cuts: readonly number[] = []): ParagraphSpan[] => {
  const paragraphs: ParagraphSpan[] = []
  let first = 0
  let cut = 0
  const push = (end: number): void => {
    const firstWord = words[first]!
    let end_s = firstWord.end
    for (let i = first; i < end; i++) end_s = Math.max(end_s, words[i]!.end)
    paragraphs.push({ first, end, speaker: firstWord.speaker, start_s: firstWord.start, end_s })
    first = end
  }
  for (let i = 1; i < words.length; i++) {
    const [before, word] = [words[i - 1]!, words[i]!]
    if (word.speaker !== before.speaker && word.speaker !== words[first]!.speaker && !isInterjection(words, i)) {
      push(i)
      continue
    }
    while (cut < cuts.length && cuts[cut]! <= words[first]!.start) cut++
    const count = i - first
    const long = count >= TARGET_WORDS || word.start - words[first]!.start >= TARGET_S
    const pause = SENTENCE_END.test(before.word) || word.start - before.end >= MIN_PAUSE_S
    if ((cut < cuts.length && cuts[cut]! <= word.start) || (long && pause) || count >= 2 * TARGET_WORDS) push(i)
  }
  if (words.length > 0) push(words.length)
  return paragraphs
}

/** Returns true if the turn that begins at a word is short and overlaps the words before it. */
const isInterjection = (words: readonly WordSpan[], i: number): boolean =>
  words[i]!.start < words[i - 1]!.end &&
  words.slice(i, i + MIN_TURN_WORDS).some(({ speaker }) => speaker !== words[i]!.speaker)

/** Returns the index of the last item that starts at or before a time, or -1. Items must be sorted by start. */
export const findIndexAt = (items: readonly { readonly start_s: number }[], time: number): number =>
  findLastStarted(items.length, time, (i) => items[i]!.start_s)

export const findWordAt = (words: readonly WordSpan[], time: number): number =>
  findLastStarted(words.length, time, (i) => words[i]!.start)

const findLastStarted = (count: number, time: number, startOf: (i: number) => number): number =>
  partitionPoint(count, (i) => startOf(i) <= time) - 1
