import { stemsOf } from "../search/stems.ts"

/** The highest position that a tsvector stores. */
const MAX_POSITION = 16_383
/** Added to the position between fields, so that no phrase matches across two of them. */
const FIELD_GAP = 2

/** Quotes a stem for a tsvector or tsquery. It consists of letters and digits, so it needs no escapes. */
const quote = (stem: string): string => `'${stem}'`

/** Returns the stems of several fields with their positions as a tsvector, and the number of stems. */
export const toTsvector = (...fields: readonly string[]): { stems: string; stemCount: number } => {
  const positions = new Map<string, number[]>()
  let position = 0
  let stemCount = 0
  for (const field of fields) {
    for (const stem of stemsOf(field)) {
      position = Math.min(position + 1, MAX_POSITION)
      stemCount++
      const ofStem = positions.get(stem) ?? []
      ofStem.push(position)
      positions.set(stem, ofStem)
    }
    position += FIELD_GAP
  }
  return { stems: [...positions].map(([stem, list]) => `${quote(stem)}:${list.join(",")}`).join(" "), stemCount }
}

/** Returns the tsquery of a phrase, or null if it has no stems. With `isPrefix`, the last stem matches as a prefix. */
export const toTsquery = (words: readonly string[], isPrefix = false): string | null => {
  const stems = words.flatMap(stemsOf)
  if (stems.length === 0) return null
  return stems.map((stem, i) => `${quote(stem)}${isPrefix && i === stems.length - 1 ? ":*" : ""}`).join(" <-> ")
}
