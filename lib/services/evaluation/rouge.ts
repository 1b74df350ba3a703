import { stem } from "../../domain/text/stem.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"

/** Returns the stemmed words of a text in order. Keeps stop words, as Lin's script does. */
export const rougeTokens = (text: string): string[] => splitWords(text).map((word) => stem(normalizeWord(word)))

const f1 = (hits: number, reference: number, candidate: number): number =>
  reference + candidate > 0 ? (2 * hits) / (reference + candidate) : 0

const countNgrams = (tokens: readonly string[], n: number): Map<string, number> => {
  const grams = new Map<string, number>()
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = tokens.slice(i, i + n).join(" ")
    grams.set(gram, (grams.get(gram) ?? 0) + 1)
  }
  return grams
}

/** Computes ROUGE-n F1, the overlap of n-grams (Lin 2004, "ROUGE: a package for automatic evaluation of summaries"). */
export const rougeN = (reference: readonly string[], candidate: readonly string[], n: number): number => {
  const [r, c] = [countNgrams(reference, n), countNgrams(candidate, n)]
  let hits = 0
  for (const [gram, count] of c) hits += Math.min(count, r.get(gram) ?? 0)
  return f1(hits, Math.max(0, reference.length - n + 1), Math.max(0, candidate.length - n + 1))
}

/** Computes ROUGE-L F1, based on the longest common subsequence (Lin 2004). */
export const rougeL = (reference: readonly string[], candidate: readonly string[]): number => {
  let row = new Uint32Array(candidate.length + 1)
  for (const token of reference) {
    const next = new Uint32Array(candidate.length + 1)
    for (let j = 0; j < candidate.length; j++)
      next[j + 1] = token === candidate[j] ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!)
    row = next
  }
  return f1(row[candidate.length]!, reference.length, candidate.length)
}
