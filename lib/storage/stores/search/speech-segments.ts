import { splitUtterances } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** The limits of a segment: two words of a query fit into it, and it is short enough to be read at a glance. */
const MAX_SECONDS = 30
const MAX_CHARACTERS = 400

/** Speech as the library search finds it: whole utterances of one speaker. */
export type SpeechSegment = {
  readonly text: string
  /** The start time of each word, in seconds. */
  readonly starts: readonly number[]
  readonly speaker: string
  /** The length of its utterances, without the pauses between them. */
  readonly seconds: number
}

/** Replaces the spaces in a word, so that the n-th word of a text has the n-th start time. */
const withoutSpaces = (word: string): string => word.trim().replace(/\s+/g, "\u00a0")
const roundToHundredths = (seconds: number): number => Math.round(seconds * 100) / 100

/** Joins consecutive utterances of one speaker into segments within the limits. */
export const splitIntoSegments = (words: readonly WordSpan[]): SpeechSegment[] => {
  const groups: { first: number; end: number; characters: number; speaker: string; seconds: number }[] = []
  for (const { first, end, end_s, speaker } of splitUtterances(words)) {
    const characters = words.slice(first, end).reduce((sum, w) => sum + w.word.length + 1, 0)
    const spoken_s = Math.max(0, end_s - words[first]!.start)
    const last = groups.at(-1)
    const fits =
      last &&
      last.speaker === speaker &&
      last.characters + characters <= MAX_CHARACTERS &&
      end_s - words[last.first]!.start <= MAX_SECONDS
    if (fits) Object.assign(last, { end, characters: last.characters + characters, seconds: last.seconds + spoken_s })
    else groups.push({ first, end, characters, speaker, seconds: spoken_s })
  }
  return groups.map(({ first, end, speaker, seconds }) => {
    const spoken = words.slice(first, end).filter((w) => w.word.trim() !== "")
    return {
      text: spoken.map((w) => withoutSpaces(w.word)).join(" "),
      starts: spoken.map((w) => roundToHundredths(w.start)),
      speaker,
      seconds: roundToHundredths(seconds),
    }
  })
}
