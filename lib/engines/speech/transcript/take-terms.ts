import type { TimedWord } from "../../../domain/transcript/words.ts"

/** A term may be this many times as long as what it replaces, or as short. */
const MAX_LENGTH_RATIO = 2.5
/** Two searches place the same word at most this far apart, in seconds. */
const TOLERANCE_S = 0.25

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

type Hit = { readonly first: number; readonly end: number }

/** Lists where terms are among words, the longest term first. The marks around a word do not matter. */
const findTerms = (words: readonly TimedWord[], terms: readonly string[]): Hit[] => {
  const phrases = terms
    .map((term) => term.split(/\s+/).map(lettersOf))
    .filter((phrase) => !phrase.includes(""))
    .sort((a, b) => b.length - a.length)
  const byFirst = new Map<string, string[][]>()
  for (const phrase of phrases) byFirst.set(phrase[0]!, [...(byFirst.get(phrase[0]!) ?? []), phrase])
  const letters = words.map(({ word }) => lettersOf(word))
  const hits: Hit[] = []
  for (let i = 0; i < words.length; i++) {
    const found = byFirst.get(letters[i]!)?.find((phrase) => phrase.every((word, j) => letters[i + j] === word))
    if (!found) continue
    hits.push({ first: i, end: i + found.length })
    i += found.length - 1
  }
  return hits
}

/**
 * Takes the terms that a second search found in the same audio, each in place of the words of its time, if these are about as
 * long. All other words are those of the first search: the second one prefers terms so strongly that it may lose words, or
 * repeat a term where nothing is said.
 */
export const takeTerms = (
  words: readonly TimedWord[],
  withTerms: readonly TimedWord[],
  terms: readonly string[],
): TimedWord[] => {
  const result: TimedWord[] = []
  let done = 0
  for (const { first, end } of findTerms(withTerms, terms)) {
    const term = withTerms.slice(first, end)
    const from_s = term[0]!.start - TOLERANCE_S
    const to_s = term.at(-1)!.end + TOLERANCE_S
    const isWithin = (word: TimedWord): boolean => word.start >= from_s && word.end <= to_s
    const at = words.findIndex((word, i) => i >= done && isWithin(word))
    if (at < 0) continue
    let until = at
    while (until < words.length && isWithin(words[until]!)) until++
    const replaced = words.slice(at, until)
    // Words must be said from the beginning of the term to its end.
    if (replaced[0]!.start > from_s + 2 * TOLERANCE_S || replaced.at(-1)!.end < to_s - 2 * TOLERANCE_S) continue
    const [old, now] = [replaced, term].map((list) => lettersOf(list.map(({ word }) => word).join("")).length)
    if (Math.max(old! / now!, now! / old!) > MAX_LENGTH_RATIO) continue
    result.push(...words.slice(done, at), ...term)
    done = until
  }
  return [...result, ...words.slice(done)]
}
