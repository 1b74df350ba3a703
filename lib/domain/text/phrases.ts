import type { ContentWord } from "./content-words.ts"

/** A phrase of a text: its stems joined by spaces, the form in which it is written most often, and how often it occurs. */
export type PhraseCount = { readonly key: string; readonly form: string; readonly count: number }

const MAX_WORDS = 3
/** A text without repeated phrases has only those that occur once. */
const MIN_COUNT = 2

type Entry = { count: number; readonly words: number; readonly forms: Map<string, number> }

const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((best, form) => (form[1] > best[1] ? form : best))[0]

/**
 * Returns the phrases that content words repeat most: one to three words of a run. Longer phrases count more, because a
 * repeated phrase names a subject better than a repeated word. Names after a form of address are left out, because the
 * person addressed is rarely the subject.
 * @param limit the maximum number of phrases
 */
export const listFrequentPhrases = (words: readonly ContentWord[], limit: number): PhraseCount[] => {
  const entries = new Map<string, Entry>()
  words.forEach((word, last) => {
    let key = ""
    let form = ""
    for (let first = last; first >= 0 && first > last - MAX_WORDS; first--) {
      const current = words[first]!
      if (current.run !== word.run || current.isAddressed) break
      key = key === "" ? current.stem : `${current.stem} ${key}`
      form = form === "" ? current.form : `${current.form} ${form}`
      const entry = entries.get(key) ?? { count: 0, words: last - first + 1, forms: new Map() }
      entry.count++
      entry.forms.set(form, (entry.forms.get(form) ?? 0) + 1)
      entries.set(key, entry)
    }
  })
  const all = [...entries]
  const repeated = all.filter(([, { count }]) => count >= MIN_COUNT)
  return (repeated.length > 0 ? repeated : all)
    .sort(([a, x], [b, y]) => y.count * Math.sqrt(y.words) - x.count * Math.sqrt(x.words) || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([key, { count, forms }]) => ({ key, form: mostFrequent(forms), count }))
}
