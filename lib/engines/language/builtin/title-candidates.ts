import { getInformation } from "../../../domain/text/information.ts"
import { isAlsoAdjective } from "../../../domain/text/word-classes.ts"
import { countPhrases, type Phrase, pickWrittenForm, type Token } from "./noun-phrases.ts"

/** In longer sections, a phrase must occur twice. */
const SHORT_SECTION_WORDS = 80
const MAX_CANDIDATES = 24
/** Factor for a single word, which rarely describes a subject. */
const SINGLE_WORD_FACTOR = 0.7
/** Factor for a single name ("Kevin"), which is often the person addressed. Abbreviations ("XML") are not affected. */
const NAME_FACTOR = 0.5
/** A single word with less information, one that occurs more than once in 10 000 words, says nothing by itself. */
const MIN_SINGLE_INFORMATION = 4

/** A phrase that may name a section. `form` is the phrase as written. */
export type TitleCandidate = {
  readonly key: string
  readonly phrase: Phrase
  readonly form: string
  readonly score: number
}

const countStems = (tokens: readonly Token[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { stem } of tokens) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

const isName = (form: string): boolean => /^\p{Lu}\p{Ll}/u.test(form)

const scoreSingleWord = (stem: string, form: string): number => {
  if (getInformation(stem) < MIN_SINGLE_INFORMATION || isAlsoAdjective(form.toLowerCase())) return 0
  return SINGLE_WORD_FACTOR * (isName(form) ? NAME_FACTOR : 1)
}

/**
 * Returns the phrases that could name a section, best first. The score is the information of all occurrences of the
 * phrase's words in the section, verbs of the same stem included, times the logarithm of the occurrences of the
 * phrase. In languages other than English every word has the same information.
 */
export const rankTitleCandidates = (tokens: readonly Token[], english: boolean): TitleCandidate[] => {
  const counts = countStems(tokens)
  const weigh = (stem: string): number => counts.get(stem)! * (english ? getInformation(stem) : 1)
  const list: TitleCandidate[] = []
  for (const [key, phrase] of countPhrases(tokens)) {
    if (phrase.count < 2 && tokens.length > SHORT_SECTION_WORDS) continue
    const form = pickWrittenForm(phrase)
    const weight = phrase.stems.reduce((sum, stem) => sum + weigh(stem), 0)
    const factor = phrase.stems.length > 1 ? 1 : english ? scoreSingleWord(key, form) : SINGLE_WORD_FACTOR
    list.push({ key, phrase, form, score: weight * Math.log2(1 + phrase.count) * factor })
  }
  list.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  return list.slice(0, MAX_CANDIDATES)
}
