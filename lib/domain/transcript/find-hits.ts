import type { FindOptions } from "../replacements.ts"
import type { WordSpan } from "./words.ts"
import { writeTerm } from "./write-term.ts"

/** Words `first` to `end` (exclusive) of a transcript that contain the text, and what they become. */
export type TranscriptHit = {
  readonly first: number
  readonly end: number
  readonly text: string
  readonly replacement: string
}

const LETTER = /[\p{L}\p{N}\p{M}]/u

const foldCharacter = (character: string): string => {
  const folded = character.toLowerCase()
  // A letter with another length in lower case would shift all places after it.
  return folded.length === character.length ? folded : character
}

/** Returns a text of the same length in which letters are compared. */
const fold = (text: string, matchCase: boolean): string => {
  const plain = text.replaceAll("’", "'")
  if (matchCase) return plain
  const lower = plain.toLowerCase()
  return lower.length === text.length ? lower : Array.from(plain, foldCharacter).join("")
}

const isLetterAt = (text: string, at: number): boolean => {
  const point = text.codePointAt(at)
  return point !== undefined && LETTER.test(String.fromCodePoint(point))
}

const isLetterBefore = (text: string, at: number): boolean => {
  if (at === 0) return false
  const isPair = at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00
  return isLetterAt(text, at - (isPair ? 2 : 1))
}

type Match = { readonly from: number; readonly until: number }

/** Lists where a text is, without overlaps. */
const findMatches = (text: string, { find, whole_words, match_case }: FindOptions): Match[] => {
  const searched = fold(text, match_case)
  const wanted = fold(find.normalize("NFC"), match_case)
  const matches: Match[] = []
  for (let from = searched.indexOf(wanted); from >= 0; ) {
    const until = from + wanted.length
    const isFound = !whole_words || !(isLetterBefore(text, from) || isLetterAt(text, until))
    if (isFound) matches.push({ from, until })
    from = searched.indexOf(wanted, isFound ? until : from + 1)
  }
  return matches
}

/** Words without a letter or digit that remain of a deletion, such as a comma, are deleted with it. */
const tidy = (text: string): string => (LETTER.test(text) ? text.trim() : "")

/**
 * Finds a text in a transcript. Several matches in the same words are one hit. A hit lies within words of one speaker. Without
 * `match_case`, a lower-case replacement gets a capital where it replaces one. Takes time in proportion to the words.
 */
export const findHits = (words: readonly WordSpan[], options: FindOptions, replaceWith: string): TranscriptHit[] => {
  const starts: number[] = []
  let text = ""
  for (const { word } of words) {
    starts.push(text.length)
    text += `${word.normalize("NFC")} `
  }
  const startOf = (word: number): number => starts[word] ?? text.length
  type Group = { readonly first: number; end: number; readonly matches: Match[] }
  const groups: Group[] = []
  let word = 0
  for (const match of findMatches(text, options)) {
    while (startOf(word + 1) <= match.from) word++
    let end = word + 1
    while (startOf(end) < match.until) end++
    const last = groups.at(-1)
    if (last && last.end > word) {
      last.matches.push(match)
      last.end = Math.max(last.end, end)
    } else groups.push({ first: word, end, matches: [match] })
  }
  return groups.flatMap(({ first, end, matches }) => {
    if (words.slice(first, end).some(({ speaker }) => speaker !== words[first]!.speaker)) return []
    let replacement = ""
    let done = startOf(first)
    for (const { from, until } of matches) {
      const written = options.match_case ? replaceWith : writeTerm(replaceWith, text.slice(from, until))
      replacement += `${text.slice(done, from)}${written}`
      done = until
    }
    replacement += text.slice(done, startOf(end) - 1)
    return { first, end, text: text.slice(startOf(first), startOf(end) - 1), replacement: tidy(replacement) }
  })
}
