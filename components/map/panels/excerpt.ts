import { joinSpoken } from "#lib/domain/text/join-spoken.ts"

/** A part of a text. `marks` are the [start, end) character offsets of the words of a query in it. */
export type Excerpt = { readonly text: string; readonly marks: readonly (readonly [number, number])[] }

/** Shorter sentences are joined with the next one, and longer ones begin close to the first word of the query. */
const MIN_CHARS = 40
const MAX_LEAD_CHARS = 60
/** Words of a query with fewer letters count only if there are no longer ones: "on", "the". */
const MIN_WORD_CHARS = 4
/** Two forms of a word differ in at most this many letters at the end: "button", "buttons"; "design", "designing". */
const MAX_ENDING_CHARS = 3

const words = new Intl.Segmenter(undefined, { granularity: "word" })
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })

const splitWords = (text: string): Intl.SegmentData[] => [...words.segment(text)].filter((word) => word.isWordLike)

/** Attaches separate punctuation and parts of contractions, and drops repeated marks: "So , , we 're on ." */
const joinPunctuation = (text: string): string => joinSpoken(text.split(/\s+/)).replace(/([,.!?])(?:\s*[,.])+/gu, "$1")

const isSameWord = (a: string, b: string): boolean => {
  if (a === b) return true
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared >= MIN_WORD_CHARS && Math.max(a.length, b.length) - shared <= MAX_ENDING_CHARS
}

const listQueryWords = (query: string): string[] => {
  const all = splitWords(query.toLowerCase()).map(({ segment }) => segment)
  const long = all.filter((word) => word.length >= MIN_WORD_CHARS)
  return long.length > 0 ? long : all
}

const findMarks = (text: string, wanted: readonly string[]): [number, number][] =>
  splitWords(text)
    .filter(({ segment }) => wanted.some((word) => isSameWord(word, segment.toLowerCase())))
    .map(({ index, segment }) => [index, index + segment.length])

/** Splits a passage into sentences. Joins those that are too short to say something with the next ones. */
const splitPassage = (text: string): string[] => {
  const parts: string[] = []
  for (const { segment } of sentences.segment(text)) {
    const last = parts.at(-1)
    if (last !== undefined && last.length < MIN_CHARS) parts[parts.length - 1] = `${last} ${segment.trim()}`
    else parts.push(segment.trim())
  }
  return parts
}

/** Returns the sentence of a passage with the most different words of a query, in any of their forms. */
export const findExcerpt = (passage: string, query: string): Excerpt => {
  const wanted = listQueryWords(query)
  const count = (text: string) => {
    const found = splitWords(text.toLowerCase())
    return wanted.filter((word) => found.some(({ segment }) => isSameWord(word, segment))).length
  }
  const parts = splitPassage(joinPunctuation(passage))
  const best = parts.reduce((most, part) => (count(part) > count(most) ? part : most), parts[0] ?? "")
  const first = findMarks(best, wanted)[0]?.[0] ?? 0
  const start = splitWords(best).find(({ index }) => index >= first - MAX_LEAD_CHARS)?.index ?? 0
  const text = first > MAX_LEAD_CHARS ? `… ${best.slice(start)}` : best
  return { text, marks: findMarks(text, wanted) }
}
