import { stem } from "../../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { endsSentence } from "../../../domain/text/utterances.ts"
import {
  classifyWord,
  hasNounEnding,
  isAmbiguousVerb,
  isHonorific,
  precedesNoun,
  precedesVerb,
  startsObject,
  type WordClass,
} from "../../../domain/text/word-classes.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** A word of the transcript, prepared for titles. `span` is the index of its word span. */
export type Token = {
  readonly written: string
  readonly word: string
  readonly stem: string
  readonly span: number
  /** True at the start of a sentence, where a capital letter has no meaning. */
  readonly startsSentence: boolean
  /** True after a pause, a punctuation mark or a speaker change, which phrases do not cross. */
  readonly startsPhrase: boolean
  readonly class: WordClass
}

/** A silence of this length separates phrases. */
const PHRASE_PAUSE_S = 0.6
const CLOSING = /[,;:.!?…)\]"”]$/u

type Raw = Omit<Token, "class">

const rawTokens = (words: readonly WordSpan[]): Raw[] => {
  const tokens: Raw[] = []
  let startsSentence = true
  let startsPhrase = true
  words.forEach((span, i) => {
    const before = words[i - 1]
    if (before && (before.speaker !== span.speaker || span.start - before.end >= PHRASE_PAUSE_S)) startsPhrase = true
    const list = splitWords(span.word)
    if (list.length === 0) startsPhrase = true
    for (const written of list) {
      const word = normalizeWord(written)
      tokens.push({ written, word, stem: stem(word), span: i, startsSentence, startsPhrase })
      startsSentence = false
      startsPhrase = false
    }
    if (CLOSING.test(span.word)) startsPhrase = true
    if (endsSentence(span.word)) startsSentence = true
  })
  return tokens
}

/** Matches a form of address that is written together with the name: "Mr.Chair". */
const ADDRESS = /^(?:mr|mrs|ms|dr)\./

/** Returns true if a noun is used as a verb here: "to button", "press the key", "address Parliament". */
const actsAsVerb = (token: Raw, before: Raw | undefined, after: Raw | undefined): boolean => {
  if (hasNounEnding(token.word)) return false
  if (before && !token.startsPhrase && precedesNoun(before.word)) return false
  if (before && !token.startsPhrase && precedesVerb(before.word)) return true
  if (after === undefined || after.startsPhrase) return false
  return startsObject(after.word) || (isAmbiguousVerb(token.word) && /^\p{Lu}\p{Ll}/u.test(after.written))
}

/** Returns the words that are used as verbs at least twice, and at least twice as often as nouns. */
const findVerbsByUse = (tokens: readonly Raw[]): ReadonlySet<string> => {
  const uses = new Map<string, { verb: number; noun: number }>()
  tokens.forEach((token, i) => {
    const use = uses.get(token.word) ?? { verb: 0, noun: 0 }
    uses.set(token.word, use)
    const before = tokens[i - 1]
    if (actsAsVerb(token, before, tokens[i + 1])) use.verb++
    else if (before && !token.startsPhrase && precedesNoun(before.word)) use.noun++
  })
  return new Set([...uses].filter(([, { verb, noun }]) => verb >= 2 && verb >= 2 * noun).map(([word]) => word))
}

/**
 * Splits a transcript into words and classifies each by its role in a noun phrase. English words are classified by lists
 * and endings, corrected by context here and elsewhere in the transcript. In other languages every content word is a noun.
 */
export const classifyTokens = (words: readonly WordSpan[], stop: ReadonlySet<string>): Token[] => {
  const raw = rawTokens(words)
  if (stop !== STOP_WORDS)
    return raw.map((t) => ({ ...t, class: isContentWord(t.word, stop) ? ("noun" as const) : ("other" as const) }))
  const verbs = findVerbsByUse(raw)
  const names = new Set(raw.filter((_, i) => isHonorific(raw[i - 1]?.word ?? "")).map((t) => t.word))
  return raw.map((token, i): Token => {
    const own = classifyWord(token.word)
    if (!isContentWord(token.word, stop) || names.has(token.word) || ADDRESS.test(token.word))
      return { ...token, class: "other" }
    if (own !== "noun") return { ...token, class: own }
    const before = token.startsPhrase ? undefined : raw[i - 1]
    const free =
      isAmbiguousVerb(token.word) &&
      !(before && precedesNoun(before.word)) &&
      classifyWord(before?.word ?? "the") === "other"
    const verb = free || verbs.has(token.word) || actsAsVerb(token, raw[i - 1], raw[i + 1])
    return { ...token, class: verb ? "other" : "noun" }
  })
}

/** One to four adjacent words that end in a noun. */
export type Phrase = {
  readonly stems: readonly string[]
  count: number
  /** Written forms with their votes. */
  readonly forms: Map<string, number>
}

const MAX_WORDS = 4
/** Vote of a form at the start of a sentence, where capitalization is unreliable. */
const SENTENCE_START_VOTE = 0.1

/** Lower-cases "Database" from the start of a sentence, but not "NASA" or "iPhone". */
const lowerFirst = (word: string): string =>
  /^\p{Lu}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toLowerCase() + word.slice(1) : word

/** Splits tokens into runs of adjacent nouns and modifiers. */
const splitRuns = (tokens: readonly Token[]): Token[][] => {
  const runs: Token[][] = []
  let run: Token[] = []
  for (const token of tokens) {
    if (token.startsPhrase || token.class === "other") {
      if (run.length > 0) runs.push(run)
      run = []
    }
    if (token.class !== "other") run.push(token)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** Counts the noun phrases in a section: modifiers and nouns that end in a noun, without repeated words. */
export const countPhrases = (tokens: readonly Token[]): Map<string, Phrase> => {
  const phrases = new Map<string, Phrase>()
  for (const run of splitRuns(tokens))
    for (let from = 0; from < run.length; from++)
      for (let n = 1; n <= MAX_WORDS && from + n <= run.length; n++) {
        const part = run.slice(from, from + n)
        const stems = part.map((t) => t.stem)
        if (part.at(-1)!.class !== "noun" || new Set(stems).size < n) continue
        const key = stems.join(" ")
        let phrase = phrases.get(key)
        if (!phrase) {
          phrase = { stems, count: 0, forms: new Map() }
          phrases.set(key, phrase)
        }
        phrase.count++
        const form = part.map((t) => (t.startsSentence ? lowerFirst(t.written) : t.written)).join(" ")
        phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + (part[0]!.startsSentence ? SENTENCE_START_VOTE : 1))
      }
  return phrases
}

/** Returns the written form with the most votes. Of equal ones it takes the shorter, then the first in code unit order. */
export const pickWrittenForm = (phrase: Phrase): string => {
  const forms = [...phrase.forms]
  forms.sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))
  return forms[0]![0]
}
