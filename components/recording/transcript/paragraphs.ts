import { partitionPoint } from "#lib/domain/partition-point.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** Words `first` to `end` (exclusive) of one speaker: a paragraph of the transcript. Seconds. */
export type ParagraphSpan = {
  readonly first: number
  readonly end: number
  readonly speaker: string
  readonly start_s: number
  readonly end_s: number
}

/** A paragraph ends at the first sentence or silence after so many seconds or words, and anyway at twice as many words. */
const TARGET_S = 40
const TARGET_WORDS = 90
const MIN_PAUSE_S = 0.5
/** A speaker that breaks in for less than this many words while another speaks is no turn. */
const MIN_TURN_WORDS = 3
const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u

/**
 * A transcript in paragraphs: they end at turns, at the borders of topics (`cuts`, in seconds, rising) and, when they
 * grow long, at sentences and silences. They cover all words in order.
 */
export const splitIntoParagraphs = (words: readonly WordSpan[], cuts: readonly number[] = []): ParagraphSpan[] => {
  const paragraphs: ParagraphSpan[] = []
  let first = 0
  let cut = 0
  let run = 0
  const push = (end: number): void => {
    const head = words[first]!
    let end_s = head.end
    for (let i = first; i < end; i++) end_s = Math.max(end_s, words[i]!.end)
    paragraphs.push({ first, end, speaker: head.speaker, start_s: head.start, end_s })
    first = end
  }
  for (let i = 1; i < words.length; i++) {
    const [before, word] = [words[i - 1]!, words[i]!]
    if (word.speaker !== before.speaker) {
      const breaksIn = word.start < before.end && i - run < MIN_TURN_WORDS
      run = i
      if (!breaksIn) {
        push(i)
        continue
      }
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

/** The last item that starts at or before a time, -1 when none does. Starts do not fall. */
export const findIndexAt = (items: readonly { readonly start_s: number }[], time: number): number =>
  findLastStarted(items.length, time, (i) => items[i]!.start_s)

export const findWordAt = (words: readonly WordSpan[], time: number): number =>
  findLastStarted(words.length, time, (i) => words[i]!.start)

const findLastStarted = (count: number, time: number, startOf: (i: number) => number): number =>
  partitionPoint(count, (i) => startOf(i) <= time) - 1
