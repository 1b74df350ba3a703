import { isBackchannel, selectWithoutFillers } from "#lib/domain/text/fillers.ts"
import { splitSpokenSentences } from "#lib/domain/text/utterances.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { ParagraphSpan } from "./paragraphs.ts"

const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** Consecutive words of a paragraph that are shown alike. */
export type WordRun = {
  /** The speaker of an interjection that is folded into the paragraph; null for the speaker of the paragraph. */
  readonly interjection: string | null
  /** The number of the sentence within the paragraph. */
  readonly sentence: number
  /** Indices of the shown words. */
  readonly words: readonly number[]
}

/** Splits a paragraph into runs of words by speaker and sentence. `hidesFillers` leaves out fillers and backchannels. */
export const splitIntoRuns = (
  words: readonly WordSpan[],
  { first, end, speaker }: ParagraphSpan,
  hidesFillers: boolean,
): WordRun[] => {
  const shown = hidesFillers ? selectWithoutFillers(words.slice(first, end).map((w) => w.word)) : null
  const runs: WordRun[] = []
  for (const [sentence, span] of splitSpokenSentences(words, first, end).entries()) {
    const interjection = words[span.first]!.speaker === speaker ? null : words[span.first]!.speaker
    const all = words.slice(span.first, span.end)
    if (hidesFillers && interjection !== null && isBackchannel(all.map((w) => w.word))) continue
    const kept = all.map((_, i) => span.first + i).filter((n) => shown?.[n - first] ?? true)
    const isEmpty = kept.length === 0 || (hidesFillers && !kept.some((n) => SAYS_SOMETHING.test(words[n]!.word)))
    if (!isEmpty) runs.push({ interjection, sentence, words: kept })
  }
  return runs
}
