import { stem } from "../../lib/domain/text/stem.ts"
import { normalise, wordsOf } from "../../lib/domain/text/tokens.ts"

/** Stemmed words of a text, in order; stop words stay, as in Lin's script. */
export const rougeTokens = (text: string): string[] => wordsOf(text).map((word) => stem(normalise(word)))

const f1 = (hits: number, reference: number, candidate: number): number =>
  reference + candidate > 0 ? (2 * hits) / (reference + candidate) : 0

const gramsOf = (tokens: readonly string[], n: number): Map<string, number> => {
  const grams = new Map<string, number>()
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = tokens.slice(i, i + n).join(" ")
    grams.set(gram, (grams.get(gram) ?? 0) + 1)
  }
  return grams
}

/** ROUGE-n F1 (Lin 2004, "ROUGE: a package for automatic evaluation of summaries"): n-grams in common, clipped. */
export const rougeN = (reference: readonly string[], candidate: readonly string[], n: number): number => {
  const [r, c] = [gramsOf(reference, n), gramsOf(candidate, n)]
  let hits = 0
  for (const [gram, count] of c) hits += Math.min(count, r.get(gram) ?? 0)
  return f1(hits, Math.max(0, reference.length - n + 1), Math.max(0, candidate.length - n + 1))
}

/** ROUGE-L F1 (Lin 2004): the longest common subsequence. */
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
