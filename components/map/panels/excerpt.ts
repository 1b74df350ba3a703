import { findSentenceEnds } from "#lib/domain/text/sentences.ts"
import { stem } from "#lib/domain/text/stem.ts"
import { STOP_WORDS } from "#lib/domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "#lib/domain/text/tokens.ts"

/** A part of a text. `marks` are the [start, end) character offsets of the words of a query in it. */
export type Excerpt = { readonly text: string; readonly marks: readonly (readonly [number, number])[] }

/** Shorter sentences are joined with the next one, and longer ones begin close to the first word of the query. */
const MIN_CHARS = 40
const MAX_LEAD_CHARS = 60

/** Removes the space before punctuation that transcripts with separate punctuation have: "So , we 're on ." */
const joinPunctuation = (text: string): string =>
  text.replace(/\s+(?=[,.;:!?…)\]]|['’]\p{L})/gu, "").replace(/([,.!?])(?:\s*[,.])+/gu, "$1")

const stemsOf = (text: string): string[] => splitWords(text).map((word) => stem(normalizeWord(word)))

const findMarks = (text: string, wanted: ReadonlySet<string>): [number, number][] => {
  let at = 0
  return splitWords(text).flatMap((word): [number, number][] => {
    const from = text.indexOf(word, at)
    if (from < 0) return []
    at = from + word.length
    return wanted.has(stem(normalizeWord(word))) ? [[from, at]] : []
  })
}

/** Joins sentences that are too short to say something with the next ones. */
const splitPassage = (text: string): string[] => {
  const parts: string[] = []
  let from = 0
  for (const end of findSentenceEnds(text)) {
    const part = text.slice(from, end).trim()
    from = end
    const last = parts.at(-1)
    if (last !== undefined && last.length < MIN_CHARS) parts[parts.length - 1] = `${last} ${part}`
    else if (part) parts.push(part)
  }
  return parts
}

const startsOfWords = (text: string): number[] => [...text.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index)

/** Returns the sentence of a passage with the most different words of a query, in any of their forms. */
export const findExcerpt = (passage: string, query: string): Excerpt => {
  const stems = stemsOf(query).filter((_, i) => !STOP_WORDS.has(normalizeWord(splitWords(query)[i]!)))
  const wanted = new Set(stems.length > 0 ? stems : stemsOf(query))
  const count = (text: string) => new Set(stemsOf(text).filter((s) => wanted.has(s))).size
  const sentences = splitPassage(joinPunctuation(passage))
  const best = sentences.reduce(
    (most, sentence) => (count(sentence) > count(most) ? sentence : most),
    sentences[0] ?? "",
  )
  const first = findMarks(best, wanted)[0]?.[0] ?? 0
  const start = first > MAX_LEAD_CHARS ? (startsOfWords(best).find((at) => at >= first - MAX_LEAD_CHARS) ?? 0) : 0
  const text = start > 0 ? `… ${best.slice(start)}` : best
  return { text, marks: findMarks(text, wanted) }
}
