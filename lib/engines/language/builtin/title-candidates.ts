import { isColor } from "../../../domain/text/word-classes.ts"
import { countPhrases, type Phrase, pickWrittenForm, type Token } from "./noun-phrases.ts"

/** English nouns that fit every subject and therefore name none. */
const VAGUE_WORDS = new Set(
  `amount answer answers area areas arm aspect aspects attention beginning bit bits break bunch call calls case cases cause chance
change changes check choice choices comment comments concern concerns consideration couple day days decision deal detail details difference
differences difficulty direction discussion effect effects effort end ends ending everybody example examples experience extra eye eyes fact facts feeling
field figure figures fun friend friends gentleman goal goals ground group groups guy guys hand hands head heading help hour hours hold home house idea ideas
information instance issue issues item items job kind kinds lack level levels life line lines list lists look love lunch man matter matters meaning meeting meetings member
members men mention mind minute minutes mode moment moments month months move name names nature note notes notice number numbers objective offer opinion opinions option
options order page pages part parts past pass people period person pick piece pieces place places plan plans play point points portion
position possibility possibilities practice presentation presentations problem problems procedure process program purpose question questions range reality reason reasons
report response rest result results return role room rule rules run running school second seconds section sense sentence sentences set sets share shot side sides situation slide slides
slot space stage stand start state statement step steps stop stuff style subject suggestion suggestions support system systems talk task
tasks team term terms test tests thanks thing things thinking thought thoughts time times title topic topics total touch track trouble
try type types understanding use value values version versions view wait walk watch way ways week weeks window word words work works world
worry worth year years yesterday gonna euro euros dollar dollars pound pounds buck bucks percent morning evening night session sessions
woman women child boy girl lady top bottom middle rest approach screen control action actions access user video paper big list conversation action ladies colleague colleagues speaker speakers chair committee house noise laughter thank bye plus minus`
    .split(/\s+/)
    .filter(Boolean),
)

/** Factor by number of words. Single words rarely describe a subject. */
const LENGTH_FACTOR = [0, 0.55, 1.2, 1.3, 1.1]
/** Factors for phrases that end with, begin with, or consist of vague words. */
const VAGUE_FACTOR = { end: 0.6, begin: 0.7, only: 0.12 }
/** Factor for a single name ("Kevin"), which is often the person addressed. Abbreviations ("XML") are not affected. */
const NAME_FACTOR = 0.5
/** In longer sections, a phrase must occur twice. */
const SHORT_SECTION_WORDS = 80
const MAX_CANDIDATES = 24
/** Factor for a single color, which is usually the rest of a phrase. */
const COLOR_FACTOR = 0.5

/** Returns true if an English phrase consists of vague words. */
export const isUninformative = (form: string, english: boolean): boolean =>
  english && form.split(" ").every((w) => VAGUE_WORDS.has(w.toLowerCase()))

/** A phrase that may name a section. `node` is the index of the section, `form` the phrase as written. */
export type TitleCandidate = { node: number; key: string; phrase: Phrase; form: string; score: number }

/** Returns the log-likelihood ratio of a count here against elsewhere (Dunning 1993), or 0 if it is not more frequent here. */
const logLikelihood = (here: number, totalHere: number, there: number, totalThere: number): number => {
  if (here * totalThere <= there * totalHere) return 0
  const rate = (here + there) / (totalHere + totalThere)
  const part = (k: number, n: number): number => (k > 0 ? k * Math.log(k / (n * rate)) : 0)
  return 2 * (part(here, totalHere) + part(there, totalThere))
}

export type WordCounts = { readonly counts: ReadonlyMap<string, number>; readonly total: number }

/** Counts the stems that can be part of a noun phrase. */
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

/** Computes C-values (Frantzi et al. 2000): the count of a phrase less the mean count of the longer phrases that contain it. */
const computeCValues = (phrases: ReadonlyMap<string, Phrase>): Map<string, number> => {
  const containing = new Map<string, { sum: number; kinds: number }>()
  for (const { stems, count } of phrases.values())
    for (let n = 1; n < stems.length; n++)
      for (let from = 0; from + n <= stems.length; from++) {
        const key = stems.slice(from, from + n).join(" ")
        const known = containing.get(key) ?? { sum: 0, kinds: 0 }
        containing.set(key, { sum: known.sum + count, kinds: known.kinds + 1 })
      }
  return new Map(
    [...phrases].map(([key, { count }]) => {
      const longer = containing.get(key)
      return [key, longer ? count - longer.sum / longer.kinds : count]
    }),
  )
}

const countBits = (places: number): number => {
  let n = 0
  for (let rest = places; rest > 0; rest &= rest - 1) n++
  return n
}

const scoreWording = (form: string, english: boolean): number => {
  if (!english) return 1
  const words = form.split(" ")
  const vague = words.map((w) => VAGUE_WORDS.has(w.toLowerCase()))
  if (vague.every(Boolean)) return VAGUE_FACTOR.only
  const name = words.length === 1 && /^\p{Lu}\p{Ll}/u.test(form) ? NAME_FACTOR : 1
  const color = words.length === 1 && isColor(form.toLowerCase()) ? COLOR_FACTOR : 1
  return name * color * (vague.at(-1) ? VAGUE_FACTOR.end : 1) * (vague[0] ? VAGUE_FACTOR.begin : 1)
}

/**
 * Returns the phrases that could name a section, best first. The score is the mean contrast of the words with the rest of
 * the recording (log-likelihood), times the C-value, the spread over the section, and factors for length and wording.
 */
export const rankTitleCandidates = (
  node: number,
  tokens: readonly Token[],
  recording: WordCounts,
  english: boolean,
): TitleCandidate[] => {
  const here = countWords(tokens)
  const phrases = countPhrases(tokens)
  const cValues = computeCValues(phrases)
  const contrast = (stem: string): number => {
    const count = here.counts.get(stem) ?? 0
    const elsewhere = recording.counts.get(stem)! - count
    return Math.log1p(logLikelihood(count, here.total, elsewhere, recording.total - here.total) + 0.3 * count)
  }
  const list: TitleCandidate[] = []
  for (const [key, phrase] of phrases) {
    if (phrase.count < 2 && tokens.length > SHORT_SECTION_WORDS) continue
    const form = pickWrittenForm(phrase)
    const n = phrase.stems.length
    const keyness = phrase.stems.reduce((sum, stem) => sum + contrast(stem), 0) / n
    const frequency = Math.log2(1 + Math.max(0.5, cValues.get(key)!))
    const spread = countBits(phrase.places) ** 0.3
    list.push({
      node,
      key,
      phrase,
      form,
      score: keyness * frequency * spread * LENGTH_FACTOR[n]! * scoreWording(form, english),
    })
  }
  list.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  return list.slice(0, MAX_CANDIDATES)
}
