import { stem } from "../../../domain/text/stem.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"

/** Below the limit of a tsvector. Stems that differ only after this length count as equal. */
const MAX_STEM_LENGTH = 200

const normalize = (word: string): string => normalizeWord(word).normalize("NFD").replace(/\p{M}/gu, "")

const stemsOfWord = (word: string): string[] =>
  normalize(word)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => stem(part).slice(0, MAX_STEM_LENGTH))

/** Returns the stems of all words of a text, in order and with repetitions. */
export const stemsOf = (text: string): string[] => splitWords(text).flatMap(stemsOfWord)

/** A stem and the range of the text that it was made from. */
export type PlacedStem = { readonly stem: string; readonly from: number; readonly to: number }

const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Locates the stems of a word. If normalization changes the parts of the word, each stem gets the whole word as its range. */
const locateStems = (word: string, at: number): PlacedStem[] => {
  const stems = stemsOfWord(word)
  const parts = [...word.matchAll(PART)]
  const hasOwnParts = stems.every((s, i) => parts[i] !== undefined && stemsOfWord(parts[i][0]).join() === s)
  return stems.map((s, i) => {
    const from = hasOwnParts ? at + parts[i]!.index : at
    return { stem: s, from, to: from + (hasOwnParts ? parts[i]![0] : word).length }
  })
}

/** Returns the stems of a text like `stemsOf`, with their ranges. */
export const placedStems = (text: string): PlacedStem[] => {
  let end = 0
  return splitWords(text).flatMap((word) => {
    const at = text.indexOf(word, end)
    end = at + word.length
    return locateStems(word, at)
  })
}
