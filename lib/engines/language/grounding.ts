import { numbersIn } from "../../domain/text/numbers.ts"
import { isStopWord, stopWordsFor } from "../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../domain/text/tokens.ts"

/** Letters that two forms of a name share at least ("Canada", "Canadian"). */
const SHARED = 4
/** Small numbers are written as words where things are counted: those are no figures of the passage. */
const COUNTING = 12

const letters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Whether a language writes every noun with a capital: then capitals tell no names. */
const capitalisesNouns = (text: string): boolean => stopWordsFor(wordsOf(text).map(normalise)).has("und")

/** Words with a capital that do not stand at the head of a sentence, and abbreviations wherever they stand. */
const namesIn = (text: string): string[] => {
  const names: string[] = []
  let head = true
  for (const part of text.split(/\s+/)) {
    for (const word of wordsOf(part)) {
      const abbreviation = /^\p{Lu}[\p{Lu}\p{N}-]+s?$/u.test(word)
      if (abbreviation || (!head && /^\p{Lu}/u.test(word) && word.length > 1)) names.push(word)
      head = false
    }
    if (/[.!?:…]["'”’)]*$/u.test(part)) head = true
  }
  return names.filter((name) => !isStopWord(normalise(name)) && !/^I['’]/.test(name))
}

/**
 * The names and numbers of a summary that its material does not hold, as they are written. Numbers match however they
 * are written; a name matches whatever shares its first four letters, or is spelled in pieces ("we chat", "X M L").
 */
export const findUngroundedTerms = (summary: string, material: string): string[] => {
  const known = numbersIn(material, true)
  const inDigits = new Set([...numbersIn(summary.replace(/\p{L}+/gu, " "))])
  const figures = [...numbersIn(summary)].filter((n) => !known.has(n) && (n > COUNTING || inDigits.has(n))).map(String)
  if (capitalisesNouns(summary)) return figures
  const all = letters(material)
  const heads = new Set(wordsOf(material).map((word) => letters(word).slice(0, SHARED)))
  const names = namesIn(summary).filter((name) => {
    const own = letters(name)
    if (own.length >= SHARED && heads.has(own.slice(0, SHARED))) return false
    return !all.includes(own)
  })
  return [...new Set([...names, ...figures])]
}
