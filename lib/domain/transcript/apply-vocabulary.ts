import type { VocabularyEntry } from "../vocabulary.ts"
import { spreadWords } from "./apply-word-edits.ts"
import { UNSPACED } from "./estimate-word-times.ts"
import type { WordSpan } from "./words.ts"
import { writeTerm } from "./write-term.ts"

const FIRST_LETTER = /[\p{L}\p{N}]/u
const MARK_OR_LETTER = /[\p{L}\p{N}\p{M}]/u

/** A word without the marks around it, and those marks. */
type Parts = { readonly opening: string; readonly letters: string; readonly closing: string }

const splitMarks = (word: string): Parts => {
  const characters = [...word]
  const first = characters.findIndex((character) => FIRST_LETTER.test(character))
  if (first < 0) return { opening: word, letters: "", closing: "" }
  const last = characters.findLastIndex((character) => MARK_OR_LETTER.test(character))
  return {
    opening: characters.slice(0, first).join(""),
    letters: characters.slice(first, last + 1).join(""),
    closing: characters.slice(last + 1).join(""),
  }
}

/** Returns text as it is compared: composed, in lower case, with one kind of apostrophe. */
const normalize = (letters: string): string => letters.normalize("NFKC").toLowerCase().replaceAll("’", "'")

/** Returns what separates two compared words: nothing in scripts without spaces, which engines divide differently. */
const gapBetween = (before: string, after: string): string =>
  UNSPACED.test(before.at(-1) ?? "") && UNSPACED.test(after[0] ?? "") ? "" : " "

/** A node of the tree of what transcripts have, by character. `term` is what is written instead. */
type Node = { readonly next: Map<string, Node>; term?: string }

const createNode = (): Node => ({ next: new Map() })

const indexPhrases = (entries: readonly VocabularyEntry[]): Node => {
  const root = createNode()
  for (const { term, sounds_like } of entries)
    for (const heard of [term, ...sounds_like]) {
      const words = heard.split(/\s+/).map((word) => normalize(splitMarks(word).letters))
      if (words.includes("")) continue
      let node = root
      for (const [i, word] of words.entries())
        for (const character of `${i > 0 ? gapBetween(words[i - 1]!, word) : ""}${word}`) {
          const next = node.next.get(character) ?? createNode()
          node.next.set(character, next)
          node = next
        }
      node.term ??= term
    }
  return root
}

/** Follows characters from a node. */
const follow = (from: Node, characters: string): Node | undefined => {
  let node: Node | undefined = from
  for (const character of characters) {
    node = node.next.get(character)
    if (!node) return undefined
  }
  return node
}

/**
 * Replaces what a speech engine wrote by the terms of a vocabulary: whole words in any letter case, the longest phrase first.
 * Marks around the words stay, and so does the time of the phrase. A phrase of several speakers is left alone. A term in other
 * letter case is replaced as well. Takes time in proportion to the text, times the length of the longest phrase.
 */
export const applyVocabulary = (words: readonly WordSpan[], entries: readonly VocabularyEntry[]): WordSpan[] => {
  if (entries.length === 0) return [...words]
  const root = indexPhrases(entries)
  const parts = words.map(({ word }) => splitMarks(word))
  const compared = parts.map(({ letters }) => normalize(letters))

  /** Returns the longest phrase that begins with a word. */
  const findPhrase = (first: number): { readonly end: number; readonly term: string } | null => {
    let found: { end: number; term: string } | null = null
    let node: Node | undefined = root
    for (let i = first; node && i < words.length && words[i]!.speaker === words[first]!.speaker; i++) {
      // Only the outer marks of a phrase may be anything: "Ada. Lovelace" is no name.
      if (compared[i] === "" || (i > first && (parts[i]!.opening !== "" || parts[i - 1]!.closing !== ""))) break
      node = follow(node, `${i > first ? gapBetween(compared[i - 1]!, compared[i]!) : ""}${compared[i]}`)
      if (node?.term !== undefined) found = { end: i + 1, term: node.term }
    }
    return found
  }

  const result: WordSpan[] = []
  for (let i = 0; i < words.length; ) {
    const found = findPhrase(i)
    if (!found) {
      result.push(words[i++]!)
      continue
    }
    const replaced = words.slice(i, found.end)
    const term = writeTerm(found.term, parts[i]!.letters)
    const closing = parts[found.end - 1]!.closing
    const text = `${parts[i]!.opening}${term}${term.endsWith(closing) ? "" : closing}`
    result.push(...spreadWords(replaced, text.split(/\s+/)))
    i = found.end
  }
  return result
}
