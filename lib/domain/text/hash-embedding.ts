import { isFiller } from "./fillers.ts"
import { hashText } from "./hash-text.ts"
import { stem } from "./stem.ts"
import { STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"

/** The name that is stored with vectors of `embedByHashing`. */
export const HASHING_MODEL = "builtin-v1"
export const BUILTIN_DIMENSIONS = 768
/** Weight of a function word relative to a content word. Above 0, so that texts without content words differ. */
const STOP_WORD_WEIGHT = 0.08
/** Share of a word's weight for its character n-grams, which match inflected and misspelled forms. */
const GRAM_SHARE = 0.45

const add = (vector: Float32Array, feature: string, weight: number): void => {
  const h = hashText(feature)
  const at = (h >>> 1) % BUILTIN_DIMENSIONS
  vector[at] = vector[at]! + (h & 1 ? weight : -weight)
}

const listNgrams = (word: string): string[] => {
  const padded = `<${word}>`
  const grams: string[] = []
  for (let size = 3; size <= 5; size++)
    for (let i = 0; i + size <= padded.length; i++) grams.push(padded.slice(i, i + size))
  return grams
}

const countStems = (text: string): Map<string, { stem: string; weight: number; times: number }> => {
  const counts = new Map<string, { stem: string; weight: number; times: number }>()
  for (const written of splitWords(text)) {
    const word = normalizeWord(written)
    const key = stem(word)
    const known = counts.get(key)
    if (known) known.times++
    else counts.set(key, { stem: key, weight: STOP_WORDS.has(word) || isFiller(word) ? STOP_WORD_WEIGHT : 1, times: 1 })
  }
  return counts
}

/**
 * Returns a vector of unit length. Hashes stems and character n-grams with signs into 768 dimensions (feature hashing,
 * Weinberger et al. 2009), with sublinear term frequency and a low weight for function words.
 */
export const embedByHashing = (text: string): Float32Array => {
  const vector = new Float32Array(BUILTIN_DIMENSIONS)
  for (const { stem: key, weight, times } of countStems(text).values()) {
    const w = weight * (1 + Math.log(times))
    add(vector, `s:${key}`, w * Math.sqrt(1 - GRAM_SHARE))
    if (weight < 1) continue
    const grams = listNgrams(key)
    const share = w * Math.sqrt(GRAM_SHARE / Math.max(1, grams.length))
    for (const gram of grams) add(vector, `g:${gram}`, share)
  }
  const length = Math.hypot(...vector)
  // A text without words gets an arbitrary direction, because all vectors have unit length.
  if (length === 0) vector[hashText(text) % BUILTIN_DIMENSIONS] = 1
  else for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! / length
  return vector
}
