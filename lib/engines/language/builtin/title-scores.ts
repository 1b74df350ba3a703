import { isColour } from "../../../domain/text/word-classes.ts"
import { bestForm, type Phrase, phrasesOf, type Token } from "./noun-phrases.ts"
import { isVague } from "./vague-words.ts"

/** What a phrase of one, two… words is worth: one word seldom says what is said about it. */
const LENGTH_FACTOR = [0, 0.55, 1.2, 1.3, 1.1]
/** What a phrase is worth that ends, begins, or is made of words that fit every subject. */
const VAGUE = { end: 0.6, begin: 0.7, only: 0.12 }
/** A single name ("Kevin") tells who was spoken to, not what about; an abbreviation ("XML") does tell. */
const NAME_FACTOR = 0.5
/** In passages of more words than this, a phrase must have been said twice. */
const SHORT_PASSAGE = 80
const CANDIDATES = 24
/** A colour by itself is most often what was left of a phrase. */
const COLOUR_FACTOR = 0.5

/** Whether a phrase is made of words that fit every subject: it tells nothing beside another one. */
export const isUninformative = (form: string, english: boolean): boolean =>
  english && form.split(" ").every((w) => isVague(w.toLowerCase()))

export type Candidate = { node: number; key: string; phrase: Phrase; form: string; score: number }

/** Log-likelihood ratio of a count here against elsewhere (Dunning 1993); 0 when it is not commoner here. */
const logLikelihood = (here: number, totalHere: number, there: number, totalThere: number): number => {
  if (here * totalThere <= there * totalHere) return 0
  const rate = (here + there) / (totalHere + totalThere)
  const part = (k: number, n: number): number => (k > 0 ? k * Math.log(k / (n * rate)) : 0)
  return 2 * (part(here, totalHere) + part(there, totalThere))
}

export type WordCounts = { readonly counts: ReadonlyMap<string, number>; readonly total: number }

export const countWords = (tokens: readonly Token[]): WordCounts => {
  const counts = new Map<string, number>()
  let total = 0
  for (const token of tokens) {
    if (token.class === "other") continue
    counts.set(token.stem, (counts.get(token.stem) ?? 0) + 1)
    total++
  }
  return { counts, total }
}

/** How often a phrase stood by itself: its count less the mean count of the longer ones around it (Frantzi et al. 2000). */
const ownCounts = (phrases: ReadonlyMap<string, Phrase>): Map<string, number> => {
  const around = new Map<string, { sum: number; kinds: number }>()
  for (const { stems, count } of phrases.values())
    for (let n = 1; n < stems.length; n++)
      for (let from = 0; from + n <= stems.length; from++) {
        const key = stems.slice(from, from + n).join(" ")
        const known = around.get(key) ?? { sum: 0, kinds: 0 }
        around.set(key, { sum: known.sum + count, kinds: known.kinds + 1 })
      }
  return new Map(
    [...phrases].map(([key, { count }]) => {
      const longer = around.get(key)
      return [key, longer ? count - longer.sum / longer.kinds : count]
    }),
  )
}

const bits = (places: number): number => {
  let n = 0
  for (let rest = places; rest > 0; rest &= rest - 1) n++
  return n
}

const quality = (form: string, english: boolean): number => {
  if (!english) return 1
  const words = form.split(" ")
  const vague = words.map((w) => isVague(w.toLowerCase()))
  if (vague.every(Boolean)) return VAGUE.only
  const name = words.length === 1 && /^\p{Lu}\p{Ll}/u.test(form) ? NAME_FACTOR : 1
  const colour = words.length === 1 && isColour(form.toLowerCase()) ? COLOUR_FACTOR : 1
  return name * colour * (vague.at(-1) ? VAGUE.end : 1) * (vague[0] ? VAGUE.begin : 1)
}

/**
 * The phrases that could name a passage, best first. A phrase is worth the mean contrast of its words with the rest of
 * the recording (log-likelihood), times how often it stood by itself (C-value), how far it is spread over the passage,
 * its length, and how specific its words are.
 */
export const candidatesOf = (
  node: number,
  tokens: readonly Token[],
  everywhere: WordCounts,
  english: boolean,
): Candidate[] => {
  const here = countWords(tokens)
  const phrases = phrasesOf(tokens)
  const own = ownCounts(phrases)
  const contrast = (stem: string): number => {
    const count = here.counts.get(stem) ?? 0
    const there = everywhere.counts.get(stem)! - count
    return Math.log1p(logLikelihood(count, here.total, there, everywhere.total - here.total) + 0.3 * count)
  }
  const list: Candidate[] = []
  for (const [key, phrase] of phrases) {
    if (phrase.count < 2 && tokens.length > SHORT_PASSAGE) continue
    const form = bestForm(phrase)
    const n = phrase.stems.length
    const keyness = phrase.stems.reduce((sum, stem) => sum + contrast(stem), 0) / n
    const often = Math.log2(1 + Math.max(0.5, own.get(key)!))
    const spread = bits(phrase.places) ** 0.3
    list.push({ node, key, phrase, form, score: keyness * often * spread * LENGTH_FACTOR[n]! * quality(form, english) })
  }
  list.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  return list.slice(0, CANDIDATES)
}
