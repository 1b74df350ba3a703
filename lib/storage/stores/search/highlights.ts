import { MARK_FROM, MARK_TO } from "./excerpt.ts"
import { type PlacedStem, placedStems, stemsOf } from "./stems.ts"

/** Where a phrase stands, as places among the stems; `open`: its last stem may go on. */
const standsAt = (own: readonly PlacedStem[], phrase: readonly string[], open: boolean): number[] =>
  own.flatMap((_, at) => {
    const isHere = phrase.every((wanted, i) => {
      const found = own[at + i]?.stem
      return found === wanted || (open && i === phrase.length - 1 && found?.startsWith(wanted))
    })
    return isHere ? [at] : []
  })

/**
 * A text with marks around what a search finds in it: the parts of each word one after the other, and what begins with
 * the last word. The same for every index, because none of them is asked.
 */
export const lit = (text: string, words: readonly string[]): string => {
  const own = placedStems(text)
  const found = new Set<number>()
  words.forEach((word, n) => {
    const phrase = stemsOf(word)
    if (phrase.length === 0) return
    for (const at of standsAt(own, phrase, n === words.length - 1)) for (const i of phrase.keys()) found.add(at + i)
  })
  let [marked, end] = ["", 0]
  for (const place of [...found].sort((a, b) => a - b)) {
    const { from, to } = own[place]!
    // Two stems of one sign, as of a fraction, have one place.
    if (from < end) continue
    marked += `${text.slice(end, from)}${MARK_FROM}${text.slice(from, to)}${MARK_TO}`
    end = to
  }
  return marked + text.slice(end)
}
