import { joinSpoken } from "../text/join-spoken.ts"
import { splitUtterances } from "../text/utterances.ts"
import type { WordSpan } from "../transcript/words.ts"
import { createSpeakerNamer, type ExportableClip, oneLine } from "./clip-text.ts"

/** A paragraph of one speaker, with times in seconds. `name` is null if the speaker needs no label. */
export type SpeakerTurn = {
  readonly speaker: string
  readonly name: string | null
  readonly start_s: number
  readonly end_s: number
  readonly text: string
  readonly words: readonly WordSpan[]
}

/** A paragraph ends at the first sentence end after this time, so that a long monologue has useful times. */
const MAX_PARAGRAPH_S = 60

const continuesTurn = (turn: readonly WordSpan[], next: readonly WordSpan[]): boolean =>
  turn[0]!.speaker === next[0]!.speaker && next[0]!.start - turn[0]!.start < MAX_PARAGRAPH_S

/** Splits words into the words of each utterance, in order. */
export const groupByUtterance = (words: readonly WordSpan[]): WordSpan[][] =>
  splitUtterances(words).map(({ first, end }) => words.slice(first, end))

/** Splits a transcript into paragraphs of one speaker each. */
export const listSpeakerTurns = (
  clip: ExportableClip,
  words: readonly WordSpan[] = clip.transcription,
): SpeakerTurn[] => {
  const nameOf = createSpeakerNamer(clip)
  const groups: WordSpan[][] = []
  for (const utterance of groupByUtterance(words)) {
    const last = groups.at(-1)
    if (last && continuesTurn(last, utterance)) last.push(...utterance)
    else groups.push([...utterance])
  }
  return groups.map((group) => ({
    speaker: group[0]!.speaker,
    name: nameOf(group[0]!.speaker),
    start_s: group[0]!.start,
    end_s: group.reduce((end, w) => Math.max(end, w.end), 0),
    text: oneLine(joinSpoken(group.map((w) => w.word))),
    words: group,
  }))
}
