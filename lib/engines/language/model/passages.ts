import { formatClock } from "../../../domain/text/format-clock.ts"
import { joinSpoken } from "../../../domain/text/join-spoken.ts"
import { splitUtterances } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** A passage of a transcript that a model can cite by its number. Times are in seconds. */
export type Passage = {
  /** Counts from 1. */
  readonly number: number
  readonly speaker: string
  /** How the passage names its speaker. */
  readonly label: string
  readonly text: string
  readonly start_s: number
  readonly end_s: number
  readonly words: readonly WordSpan[]
}

/** Short utterances of one speaker are one passage up to this number of words. */
const MAX_PASSAGE_WORDS = 50

/** Names a speaker as the pages do: by the given name, or "Speaker 1" for ID "0". */
export const labelSpeaker = (id: string, speakers: Readonly<Record<string, string>>): string => {
  if (Object.hasOwn(speakers, id) && speakers[id]) return speakers[id]
  return /^\d{1,6}$/.test(id) ? `Speaker ${Number(id) + 1}` : id
}

/** Divides a transcript into numbered passages of one speaker each. */
export const listPassages = (words: readonly WordSpan[], speakers: Readonly<Record<string, string>>): Passage[] => {
  const spans: { first: number; end: number; speaker: string }[] = []
  for (const { first, end, speaker } of splitUtterances(words)) {
    const last = spans.at(-1)
    if (last && last.speaker === speaker && end - last.first <= MAX_PASSAGE_WORDS) last.end = end
    else spans.push({ first, end, speaker })
  }
  return spans.map(({ first, end, speaker }, i) => {
    const own = words.slice(first, end)
    return {
      number: i + 1,
      speaker,
      label: labelSpeaker(speaker, speakers),
      text: joinSpoken(own.map(({ word }) => word)),
      start_s: own[0]!.start,
      end_s: own.reduce((last, word) => Math.max(last, word.end), 0),
      words: own,
    }
  })
}

/** Writes a passage as a line with its number in brackets, time and speaker. */
export const formatPassage = ({ number, start_s, label, text }: Passage): string =>
  `[${number}] ${formatClock(start_s)} ${label}: ${text}`
