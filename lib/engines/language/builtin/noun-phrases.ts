import { stem } from "../../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import { endsSentence } from "../../../domain/text/utterances.ts"
import {
  beginsObject,
  classOf,
  isAmbiguousVerb,
  isHonorific,
  isSurelyNoun,
  pointsToNoun,
  pointsToVerb,
  type WordClass,
} from "../../../domain/text/word-classes.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** A word of the transcript as titles see it. `span` is the number of the word span that it stands in. */
export type Token = {
  readonly written: string
  readonly word: string
  readonly stem: string
  readonly span: number
  /** At the head of a sentence, where a capital says little. */
  readonly head: boolean
  /** After a pause, a mark, a change of speaker: no phrase goes across. */
  readonly apart: boolean
  readonly class: WordClass
}

/** A silence of this many seconds parts a phrase. */
const PHRASE_PAUSE_S = 0.6
const CLOSING = /[,;:.!?…)\]"”]$/u

type Raw = Omit<Token, "class">

const rawTokens = (words: readonly WordSpan[]): Raw[] => {
  const tokens: Raw[] = []
  let head = true
  let apart = true
  words.forEach((span, i) => {
    const before = words[i - 1]
    if (before && (before.speaker !== span.speaker || span.start - before.end >= PHRASE_PAUSE_S)) apart = true
    const list = wordsOf(span.word)
    if (list.length === 0) apart = true
    for (const written of list) {
      const word = normalise(written)
      tokens.push({ written, word, stem: stem(word), span: i, head, apart })
      head = false
      apart = false
    }
    if (CLOSING.test(span.word)) apart = true
    if (endsSentence(span.word)) head = true
  })
  return tokens
}

/** A noun by itself may still act as a verb where it stands: "to button", "press the key". */
const actsAsVerb = (token: Raw, before: Raw | undefined, after: Raw | undefined): boolean => {
  if (isSurelyNoun(token.word)) return false
  if (before && !token.apart && pointsToNoun(before.word)) return false
  if (before && !token.apart && pointsToVerb(before.word)) return true
  return after !== undefined && !after.apart && beginsObject(after.word)
}

/** Words that stand for verbs at least twice, and twice as often as for nouns. */
const verbsByUse = (tokens: readonly Raw[]): ReadonlySet<string> => {
  const uses = new Map<string, { verb: number; noun: number }>()
  tokens.forEach((token, i) => {
    const use = uses.get(token.word) ?? { verb: 0, noun: 0 }
    uses.set(token.word, use)
    const before = tokens[i - 1]
    if (actsAsVerb(token, before, tokens[i + 1])) use.verb++
    else if (before && !token.apart && pointsToNoun(before.word)) use.noun++
  })
  return new Set([...uses].filter(([, { verb, noun }]) => verb >= 2 && verb >= 2 * noun).map(([word]) => word))
}

/**
 * The words of a transcript with what they can be in a noun phrase. English: by list and ending, corrected by the words
 * around, here and wherever else the word is used. Other languages: every content word is a noun.
 */
export const tokensOf = (words: readonly WordSpan[], stop: ReadonlySet<string>): Token[] => {
  const raw = rawTokens(words)
  if (stop !== STOP_WORDS)
    return raw.map((t) => ({ ...t, class: isContentWord(t.word, stop) ? ("noun" as const) : ("other" as const) }))
  const verbs = verbsByUse(raw)
  const persons = new Set(raw.filter((_, i) => isHonorific(raw[i - 1]?.word ?? "")).map((t) => t.word))
  return raw.map((token, i): Token => {
    const own = classOf(token.word)
    if (!isContentWord(token.word, stop) || persons.has(token.word)) return { ...token, class: "other" }
    if (own !== "noun") return { ...token, class: own }
    const before = token.apart ? undefined : raw[i - 1]
    const free =
      isAmbiguousVerb(token.word) &&
      !(before && pointsToNoun(before.word)) &&
      classOf(before?.word ?? "the") === "other"
    const verb = free || verbs.has(token.word) || actsAsVerb(token, raw[i - 1], raw[i + 1])
    return { ...token, class: verb ? "other" : "noun" }
  })
}

/** One to four words that were said side by side and end in a noun. */
export type Phrase = {
  readonly stems: readonly string[]
  count: number
  /** Tenths of the passage in which it was said, as bits. */
  places: number
  /** How it was written, with votes. */
  readonly forms: Map<string, number>
}

const MAX_WORDS = 4
/** A form at the head of a sentence tells little about capitals. */
const HEAD_VOTE = 0.1

/** "Database" at the head of a sentence is written "database" elsewhere; "NASA" and "iPhone" stay. */
const lowerHead = (word: string): string =>
  /^\p{Lu}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toLowerCase() + word.slice(1) : word

/** Runs of nouns and modifiers between words that are neither. */
const runsOf = (tokens: readonly Token[]): Token[][] => {
  const runs: Token[][] = []
  let run: Token[] = []
  for (const token of tokens) {
    if (token.apart || token.class === "other") {
      if (run.length > 0) runs.push(run)
      run = []
    }
    if (token.class !== "other") run.push(token)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** Counts the noun phrases in a stretch of tokens: modifiers and nouns, a noun at the end, none twice. */
export const phrasesOf = (tokens: readonly Token[]): Map<string, Phrase> => {
  const phrases = new Map<string, Phrase>()
  const first = tokens[0]?.span ?? 0
  const length = (tokens.at(-1)?.span ?? first) - first + 1
  for (const run of runsOf(tokens))
    for (let from = 0; from < run.length; from++)
      for (let n = 1; n <= MAX_WORDS && from + n <= run.length; n++) {
        const part = run.slice(from, from + n)
        const stems = part.map((t) => t.stem)
        if (part.at(-1)!.class !== "noun" || new Set(stems).size < n) continue
        const key = stems.join(" ")
        let phrase = phrases.get(key)
        if (!phrase) {
          phrase = { stems, count: 0, places: 0, forms: new Map() }
          phrases.set(key, phrase)
        }
        phrase.count++
        phrase.places |= 1 << Math.floor(((part[0]!.span - first) * 10) / length)
        const form = part.map((t) => (t.head ? lowerHead(t.written) : t.written)).join(" ")
        phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + (part[0]!.head ? HEAD_VOTE : 1))
      }
  return phrases
}

/** The form with most votes; of equal ones the shorter, then the first in code order. */
export const bestForm = (phrase: Phrase): string => {
  const forms = [...phrase.forms]
  forms.sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))
  return forms[0]![0]
}
