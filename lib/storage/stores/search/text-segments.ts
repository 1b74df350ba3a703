import { utterancesOf } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** Long enough for two words of a search to stand together, short enough to be read at a glance. */
const MAX_SECONDS = 30
const MAX_CHARACTERS = 400

/** Speech as it is searched: whole utterances of one voice, with the second at which each word begins. */
export type Stretch = { readonly text: string; readonly starts: readonly number[]; readonly speaker: string }

/** A word as one token between spaces, so that the n-th token of a text has the n-th start. */
const token = (word: string): string => word.trim().replace(/\s+/g, "\u00a0")
const tenth = (seconds: number): number => Math.round(seconds * 100) / 100

export const stretchesOf = (words: readonly WordSpan[]): Stretch[] => {
  const groups: { first: number; end: number; characters: number; speaker: string }[] = []
  for (const { first, end, end_s, speaker } of utterancesOf(words)) {
    const characters = words.slice(first, end).reduce((sum, w) => sum + w.word.length + 1, 0)
    const last = groups.at(-1)
    const joins =
      last &&
      last.speaker === speaker &&
      last.characters + characters <= MAX_CHARACTERS &&
      end_s - words[last.first]!.start <= MAX_SECONDS
    if (joins) Object.assign(last, { end, characters: last.characters + characters })
    else groups.push({ first, end, characters, speaker })
  }
  return groups.map(({ first, end, speaker }) => {
    const own = words.slice(first, end).filter((w) => w.word.trim() !== "")
    return { text: own.map((w) => token(w.word)).join(" "), starts: own.map((w) => tenth(w.start)), speaker }
  })
}
