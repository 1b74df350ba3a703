import { stemsOf } from "../search/stems.ts"

/** What a tsvector takes: later places are not told apart. */
const LAST_PLACE = 16_383
/** Between fields, so that no phrase runs over from one into the next. */
const GAP = 2

/** A stem as PostgreSQL reads it; it is letters and digits, so nothing in it needs an escape. */
const quoted = (stem: string): string => `'${stem}'`

/** Stems of fields and their places, as a tsvector, and how many there are. */
export const fullTextOf = (...fields: readonly string[]): { stems: string; stemCount: number } => {
  const places = new Map<string, number[]>()
  let at = 0
  let stemCount = 0
  for (const field of fields) {
    for (const stem of stemsOf(field)) {
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
  const all = words.flatMap(stemsOf)
  if (all.length === 0) return null
  return all.map((stem, i) => `${quoted(stem)}${open && i === all.length - 1 ? ":*" : ""}`).join(" <-> ")
}
