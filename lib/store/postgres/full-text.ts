import { MARK_FROM, MARK_TO } from "../search/excerpt.ts"
import { stemsOf } from "../search/stems.ts"

/** What a tsvector takes: longer stems are no words, later places are not told apart. */
const LONGEST_STEM = 200
const LAST_PLACE = 16_383
/** Between fields, so that no phrase runs over from one into the next. */
const GAP = 2

const stems = (text: string): string[] => stemsOf(text).map((stem) => stem.slice(0, LONGEST_STEM))

/** A stem as PostgreSQL reads it; it is letters and digits, so nothing in it needs an escape. */
const quoted = (stem: string): string => `'${stem}'`

/** Stems of fields and their places, as a tsvector, and how many there are. */
export const fullTextOf = (...fields: readonly string[]): { stems: string; stemCount: number } => {
  const places = new Map<string, number[]>()
  let at = 0
  let stemCount = 0
  for (const field of fields) {
    for (const stem of stems(field)) {
      at = Math.min(at + 1, LAST_PLACE)
      stemCount++
      const own = places.get(stem) ?? []
      own.push(at)
      places.set(stem, own)
    }
    at += GAP
  }
  return { stems: [...places].map(([stem, own]) => `${quoted(stem)}:${own.join(",")}`).join(" "), stemCount }
}

/** Words that follow each other, as a tsquery; null: there is nothing in them to look for. `open`: the last may go on. */
export const phraseOf = (words: readonly string[], open = false): string | null => {
  const all = words.flatMap(stems)
  if (all.length === 0) return null
  return all.map((stem, i) => `${quoted(stem)}${open && i === all.length - 1 ? ":*" : ""}`).join(" <-> ")
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** A text with marks around the words that have one of the stems, or begin with the last. */
export const lit = (text: string, words: readonly string[]): string => {
  const wanted = new Set(words.flatMap(stems))
  const start = stems(words.at(-1) ?? "").at(-1)
  const isFound = (stem: string) => wanted.has(stem) || (start !== undefined && stem.startsWith(start))
  return text.replace(WORD, (word) => (stems(word).some(isFound) ? `${MARK_FROM}${word}${MARK_TO}` : word))
}
