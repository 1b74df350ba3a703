import { type ContentWord, listContentWords } from "./content-words.ts"
import { hashText } from "./hash-text.ts"

/** How often each term occurs in a text. `hashes` identify the terms, in ascending order. */
export type TermCounts = { readonly hashes: Uint32Array; readonly counts: Uint16Array }

const MAX_COUNT = 65_535

/** The terms of content words: of each word its stem, and the pair with the word before in the same turn, if any. */
export type Terms = { readonly words: Uint32Array; readonly pairs: readonly (number | null)[] }

/** Hashes the terms of content words, so that those of several ranges can be counted. */
export const hashTerms = (words: readonly ContentWord[]): Terms => {
  const hashes = new Map<string, number>()
  const hashStem = (stem: string): number => {
    const known = hashes.get(stem)
    if (known !== undefined) return known
    const hash = hashText(stem)
    hashes.set(stem, hash)
    return hash
  }
  return {
    words: Uint32Array.from(words, ({ stem }) => hashStem(stem)),
    pairs: words.map(({ stem, turn }, i) => {
      const before = words[i - 1]
      return before?.turn === turn ? hashText(`${before.stem} ${stem}`) : null
    }),
  }
}

/** Counts the terms of a range of content words. A pair belongs to the range if both of its words do. */
export const countTermsInRange = ({ words, pairs }: Terms, from: number, end: number): TermCounts => {
  const counts = new Map<number, number>()
  const add = (hash: number): void => {
    counts.set(hash, Math.min(MAX_COUNT, (counts.get(hash) ?? 0) + 1))
  }
  for (let i = from; i < end; i++) {
    add(words[i]!)
    const pair = pairs[i]
    if (i > from && pair !== null && pair !== undefined) add(pair)
  }
  const hashes = Uint32Array.from(counts.keys()).sort()
  return { hashes, counts: Uint16Array.from(hashes, (hash) => counts.get(hash)!) }
}

/**
 * Counts the terms of texts: the stems of content words, and the pairs of stems that follow each other, which stand for
 * phrases such as "remote control". Pairs do not cross texts.
 */
export const countTerms = (texts: readonly string[]): TermCounts => {
  const words = listContentWords(texts.map((text, turn) => ({ text, turn })))
  return countTermsInRange(hashTerms(words), 0, words.length)
}
