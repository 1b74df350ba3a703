import { partitionPoint } from "#lib/domain/partition-point.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** Words `first` to `end` (exclusive) of one voice: a paragraph of the transcript. Seconds. */
export type Block = {
  readonly first: number
  readonly end: number
  readonly speaker: string
  readonly start_s: number
  readonly end_s: number
}

/** A paragraph ends at the first sentence or silence after so many seconds or words, and anyway at twice as many words. */
const LONG_S = 40
const LONG_WORDS = 90
const SILENCE_S = 0.5
/** A voice that breaks in for less than this many words while another speaks is no turn. */
const MIN_RUN = 3
const SENTENCE_END = /[.!?…。！？।؟]["'”’»)\]]*$/u

/**
 * A transcript in paragraphs: they end at turns, at the borders of topics (`cuts`, in seconds, rising) and, when they
 * grow long, at sentences and silences. They cover all words in order.
 */
export const blocksOf = (words: readonly WordSpan[], cuts: readonly number[] = []): Block[] => {
  const blocks: Block[] = []
  let first = 0
  let cut = 0
  let run = 0
  const push = (end: number): void => {
    const head = words[first]!
    let end_s = head.end
    for (let i = first; i < end; i++) end_s = Math.max(end_s, words[i]!.end)
    blocks.push({ first, end, speaker: head.speaker, start_s: head.start, end_s })
    first = end
  }
  for (let i = 1; i < words.length; i++) {
    const [before, word] = [words[i - 1]!, words[i]!]
    if (word.speaker !== before.speaker) {
      const breaksIn = word.start < before.end && i - run < MIN_RUN
      run = i
      if (!breaksIn) {
        push(i)
        continue
      }
    }
    while (cut < cuts.length && cuts[cut]! <= words[first]!.start) cut++
    const count = i - first
    const long = count >= LONG_WORDS || word.start - words[first]!.start >= LONG_S
    const pause = SENTENCE_END.test(before.word) || word.start - before.end >= SILENCE_S
    if ((cut < cuts.length && cuts[cut]! <= word.start) || (long && pause) || count >= 2 * LONG_WORDS) push(i)
  }
  if (words.length > 0) push(words.length)
  return blocks
}

/** The last item that starts at or before a time, -1 when none does. Starts do not fall. */
export const indexAt = (items: readonly { readonly start_s: number }[], time: number): number =>
  lastAtOrBefore(items.length, time, (i) => items[i]!.start_s)

export const wordAt = (words: readonly WordSpan[], time: number): number =>
  lastAtOrBefore(words.length, time, (i) => words[i]!.start)

const lastAtOrBefore = (count: number, time: number, startOf: (i: number) => number): number =>
  partitionPoint(count, (i) => startOf(i) <= time) - 1
