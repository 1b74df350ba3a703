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
/** So is a turn of at most this many words and less than this time between two turns of that speaker, unless it is a question. */
const MAX_INTERJECTION_WORDS = 4
const MAX_INTERJECTION_S = 2
const QUESTION_END = /[?？؟]["'”’»)\]]*$/u
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
    if (
      word.speaker !== before.speaker &&
      word.speaker !== words[first]!.speaker &&
      !isInterjection(words, i, words[first]!.speaker)
    ) {
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

/** Returns true if the turn that begins at a word is folded into the paragraph of the speaker before it. */
const isInterjection = (words: readonly WordSpan[], i: number, speakerBefore: string): boolean => {
  const { speaker, start } = words[i]!
  let end = i + 1
  while (end < words.length && end - i <= MAX_INTERJECTION_WORDS && words[end]!.speaker === speaker) end++
  if (end === words.length) return false
  if (end - i < MIN_TURN_WORDS && start < words[i - 1]!.end) return true
  const last = words[end - 1]!
  return (
    end - i <= MAX_INTERJECTION_WORDS &&
    words[end]!.speaker === speakerBefore &&
    last.end - start < MAX_INTERJECTION_S &&
    !QUESTION_END.test(last.word)
  )
}

/** Returns the index of the last item that starts at or before a time, or -1. Items must be sorted by start. */
export const findIndexAt = (items: readonly { readonly start_s: number }[], time: number): number =>
  findLastStarted(items.length, time, (i) => items[i]!.start_s)

export const findWordAt = (words: readonly WordSpan[], time: number): number =>
  findLastStarted(words.length, time, (i) => words[i]!.start)

const findLastStarted = (count: number, time: number, startOf: (i: number) => number): number =>
  partitionPoint(count, (i) => startOf(i) <= time) - 1
