import porter2 from "wink-porter2-stemmer"

const MAX_CACHE = 50_000
const cache = new Map<string, string>()

/**
 * The stem of a lower-case word: Porter2 (Porter 2001) for words of basic Latin letters, the word itself otherwise.
 * Memoised, because speech repeats its words; the cache is bounded.
 */
export const stem = (word: string): string => {
  const known = cache.get(word)
  if (known !== undefined) return known
  const stemmed = /^[a-z]+$/.test(word) ? porter2(word) : word
  if (cache.size >= MAX_CACHE) cache.clear()
  cache.set(word, stemmed)
  return stemmed
}
