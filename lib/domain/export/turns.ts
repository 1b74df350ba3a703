import { utterancesOf } from "../text/utterances.ts"
import type { WordSpan } from "../transcript/words.ts"
import { type Exported, oneLine, speakerNames } from "./text.ts"

/** A stretch of one voice. Times in seconds; `name` null where it needs none. */
export type Turn = {
  readonly speaker: string
  readonly name: string | null
  readonly start_s: number
  readonly end_s: number
  readonly text: string
  readonly words: readonly WordSpan[]
}

export const textOf = (words: readonly WordSpan[]): string => oneLine(words.map((w) => w.word).join(" "))

/** A paragraph is ended at the next sentence after so many seconds, so that times stay useful in a long monologue. */
const PARAGRAPH_S = 60

const joins = (turn: readonly WordSpan[], next: readonly WordSpan[]): boolean =>
  turn[0]!.speaker === next[0]!.speaker && next[0]!.start - turn[0]!.start < PARAGRAPH_S

/** Sentences in order, as `utterancesOf` finds them. */
export const sentencesOf = (words: readonly WordSpan[]): WordSpan[][] =>
  utterancesOf(words).map(({ first, end }) => words.slice(first, end))

/** The transcript in paragraphs of one voice each. */
export const turnsOf = (clip: Exported, words: readonly WordSpan[] = clip.transcription): Turn[] => {
  const nameOf = speakerNames(clip)
  const groups: WordSpan[][] = []
  for (const sentence of sentencesOf(words)) {
    const last = groups.at(-1)
    if (last && joins(last, sentence)) last.push(...sentence)
    else groups.push([...sentence])
  }
  return groups.map((group) => ({
    speaker: group[0]!.speaker,
    name: nameOf(group[0]!.speaker),
    start_s: group[0]!.start,
    end_s: group.reduce((end, w) => Math.max(end, w.end), 0),
    text: textOf(group),
    words: group,
  }))
}
