import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { speechWords } from "../../fixtures/speech-words.ts"

/** How a recording is submitted. The same bytes, path or URL are always the same clip. */
export const SOURCES = ["upload", "upload", "path", "url"] as const

const LETTERS = "abcdefghij"

/** Returns a word that occurs nowhere else, for one generation of a clip or document. It consists of letters, as any word. */
export const markerOf = (name: string, generation: number): string =>
  `qz${name}${[...String(generation)].map((digit) => LETTERS[Number(digit)]).join("")}k`

/** Every n-th word of the marked subjects is the marker. */
const MARKER_INTERVAL = 9

/**
 * Returns the words of a recording with one to three subjects. Only the first contains the marker, so that topics about the
 * others have the same words in several clips.
 */
export const createWords = (marker: string, variant: number): WordSpan[] => {
  const subjects = 1 + (variant % 3)
  const secondsEach = 20 + 10 * (variant % 2)
  return speechWords({ subjects, secondsEach }).map((word, i) =>
    word.start < secondsEach && i % MARKER_INTERVAL === 0 ? { ...word, word: marker } : word,
  )
}
