import { extractNumbers } from "../../domain/text/numbers.ts"
import { detectStopWords, isStopWord } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"

/** Names match if their first letters match ("Canada", "Canadian"). */
const NAME_PREFIX_CHARS = 4
/** Numbers up to this one are ignored if written as words, because they may count things ("three ways"). */
const MAX_COUNTING_NUMBER = 12

/** Returns the letters and digits of a text in lower case, without spaces and punctuation. */
export const normalizeLetters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Returns true for German, in which capital letters do not indicate names. */
const capitalizesNouns = (text: string): boolean => detectStopWords(splitWords(text).map(normalizeWord)).has("und")

/** Returns the capitalized words that do not start a sentence, and all abbreviations. */
const extractNames = (text: string): string[] => {
  const names: string[] = []
  let startsSentence = true
  for (const token of text.split(/\s+/)) {
    for (const word of splitWords(token)) {
      const isAbbreviation = /^\p{Lu}[\p{Lu}\p{N}-]+s?$/u.test(word)
      if (isAbbreviation || (!startsSentence && /^\p{Lu}/u.test(word) && word.length > 1)) names.push(word)
      startsSentence = false
    }
    if (/[.!?:…]["'”’)]*$/u.test(token)) startsSentence = true
  }
  return names.filter((name) => !isStopWord(normalizeWord(name)) && !/^I['’]/.test(name))
}

/**
 * Returns the names and numbers of a summary that do not occur in its source. Numbers match in any notation. Names match by
 * their first four letters, or if the source spells them in parts ("we chat", "X M L").
 */
export const findUngroundedTerms = (summary: string, source: string): string[] => {
  const sourceNumbers = extractNumbers(source, true)
  const inDigits = extractNumbers(summary.replace(/\p{L}+/gu, " "))
  const numbers = [...extractNumbers(summary)]
    .filter((n) => !sourceNumbers.has(n) && (n > MAX_COUNTING_NUMBER || inDigits.has(n)))
    .map(String)
  if (capitalizesNouns(summary)) return numbers
  const sourceLetters = normalizeLetters(source)
  const prefixes = new Set(splitWords(source).map((word) => normalizeLetters(word).slice(0, NAME_PREFIX_CHARS)))
  const names = extractNames(summary).filter((name) => {
    const letters = normalizeLetters(name)
    if (letters.length >= NAME_PREFIX_CHARS && prefixes.has(letters.slice(0, NAME_PREFIX_CHARS))) return false
    return !sourceLetters.includes(letters)
  })
  return [...new Set([...names, ...numbers])]
}
