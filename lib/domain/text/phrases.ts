import { stem } from "./stem.ts"
import { isContentWord, STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"
import { isHonorific } from "./word-classes.ts"

/** A phrase of a text: its stems joined by spaces, the form in which it is written most often, and how often it occurs. */
export type PhraseCount = { readonly key: string; readonly form: string; readonly count: number }

const MAX_WORDS = 3
/** A text without repeated phrases has only those that occur once. */
const MIN_COUNT = 2

type Entry = { count: number; readonly words: number; readonly forms: Map<string, number> }

/** Lower-cases a word that is capitalized like the first word of a sentence, but not "NASA" or "iPhone". */
const lowerInitial = (word: string): string => (/^\p{Lu}[\p{Ll}'’-]+$/u.test(word) ? word.toLowerCase() : word)

const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((best, form) => (form[1] > best[1] ? form : best))[0]

/**
 * Returns the phrases that a text repeats most: one to three content words next to each other. Longer phrases count more,
 * because a repeated phrase names a subject better than a repeated word. Phrases do not cross texts.
 * @param limit the maximum number of phrases
 * @param stop the function words of the texts' language
 */
export const listFrequentPhrases = (
  texts: readonly string[],
  limit: number,
  stop: ReadonlySet<string> = STOP_WORDS,
): PhraseCount[] => {
  const entries = new Map<string, Entry>()
  for (const text of texts) countPhrases(text, stop, entries)
  const ranked = [...entries].sort(
    ([a, x], [b, y]) => y.count * Math.sqrt(y.words) - x.count * Math.sqrt(x.words) || (a < b ? -1 : 1),
  )
  const repeated = ranked.filter(([, { count }]) => count >= MIN_COUNT)
  return (repeated.length > 0 ? repeated : ranked)
    .slice(0, limit)
    .map(([key, { count, forms }]) => ({ key, form: mostFrequent(forms), count }))
}

const countPhrases = (text: string, stop: ReadonlySet<string>, entries: Map<string, Entry>): void => {
  let isAddressed = false
  // Phrases do not cross punctuation.
  for (const part of text.split(/[.,;:!?()"“”…]+/u)) {
    let run: { stem: string; written: string }[] = []
    for (const written of splitWords(part)) {
      const word = normalizeWord(written)
      // "Mr. Chair" addresses a person, who is rarely the subject.
      const isNameOfAddressed = isAddressed
      isAddressed = isHonorific(word)
      if (isAddressed || isNameOfAddressed || !isContentWord(word, stop)) {
        run = []
        continue
      }
      run = [...run.slice(1 - MAX_WORDS), { stem: stem(word), written: lowerInitial(written) }]
      for (let from = 0; from < run.length; from++) addPhrase(run.slice(from), entries)
    }
  }
}

const addPhrase = (words: readonly { stem: string; written: string }[], entries: Map<string, Entry>): void => {
  const key = words.map((word) => word.stem).join(" ")
  const form = words.map((word) => word.written).join(" ")
  const entry = entries.get(key) ?? { count: 0, words: words.length, forms: new Map() }
  entry.count++
  entry.forms.set(form, (entry.forms.get(form) ?? 0) + 1)
  entries.set(key, entry)
}
