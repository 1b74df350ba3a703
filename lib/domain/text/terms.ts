import { stem } from "./stem.ts"
import { isContentWord, STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"

/** How often each term occurs in a text. `hashes` identify the terms, in ascending order. */
export type TermCounts = { readonly hashes: Uint32Array; readonly counts: Uint16Array }

const MAX_COUNT = 65_535

/** Returns the FNV-1a hash of the UTF-16 code units, with the final avalanche of murmur3. */
const hashText = (text: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Returns the stems of the content words of a text, in order. */
export const listContentStems = (text: string, stop: ReadonlySet<string> = STOP_WORDS): string[] =>
  splitWords(text)
    .map(normalizeWord)
    .filter((word) => isContentWord(word, stop))
    .map(stem)

/**
 * Counts the terms of texts: the stems of content words, and the pairs of stems that follow each other, which stand for
 * phrases such as "remote control". Pairs do not cross texts.
 * @param stop the function words of the texts' language
 */
export const countTerms = (texts: readonly string[], stop: ReadonlySet<string> = STOP_WORDS): TermCounts => {
  const counts = new Map<number, number>()
  const add = (term: string): void => {
    const hash = hashText(term)
    counts.set(hash, Math.min(MAX_COUNT, (counts.get(hash) ?? 0) + 1))
  }
  for (const text of texts) {
    let previous: string | null = null
    for (const current of listContentStems(text, stop)) {
      add(current)
      if (previous !== null) add(`${previous} ${current}`)
      previous = current
    }
  }
  const hashes = Uint32Array.from(counts.keys()).sort()
  return { hashes, counts: Uint16Array.from(hashes, (hash) => counts.get(hash)!) }
}
