import { stem } from "../../../domain/text/stem.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"

/** What a tsvector takes with room to spare; two words that differ only behind it are one. */
const LONGEST_STEM = 200

const plain = (word: string): string => normalise(word).normalize("NFD").replace(/\p{M}/gu, "")

const stemsOfWord = (word: string): string[] =>
  plain(word)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => stem(part).slice(0, LONGEST_STEM))

/** The stems of a text, as often as they stand in it. */
export const stemsOf = (text: string): string[] => wordsOf(text).flatMap(stemsOfWord)

/** A stem and what it was made of, as indexes into the text. */
export type PlacedStem = { readonly stem: string; readonly from: number; readonly to: number }

const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Each part of a word with its stem; the whole word for each, where the form for comparing has other parts. */
const placedOfWord = (word: string, at: number): PlacedStem[] => {
  const stems = stemsOfWord(word)
  const parts = [...word.matchAll(PART)]
  const isPartwise = stems.every((s, i) => parts[i] !== undefined && stemsOfWord(parts[i][0]).join() === s)
  return stems.map((s, i) => {
    const from = isPartwise ? at + parts[i]!.index : at
    return { stem: s, from, to: from + (isPartwise ? parts[i]![0] : word).length }
  })
}

/** As stemsOf, with where each stands. */
export const placedStems = (text: string): PlacedStem[] => {
  let end = 0
  return wordsOf(text).flatMap((word) => {
    const at = text.indexOf(word, end)
    end = at + word.length
    return placedOfWord(word, at)
  })
}
