import type { WordEdit } from "./word-edits.ts"
import type { WordSpan } from "./words.ts"

/** Longer corrections are no names. */
const MAX_WORDS = 4

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, "")

const withoutClosingMarks = (text: string): string => {
  const last = [...text].findLastIndex((character) => !".,;:!?…".includes(character))
  return [...text].slice(0, last + 1).join("")
}

/** What a person wrote, and what the transcript had. */
export type NameCorrection = { readonly term: string; readonly sounds_like: string }

/**
 * Lists the corrections of a transcript that change words and not only marks or letter case, of up to four words each.
 * @param heard the words as the speech engine returned them, in order of start time
 */
export const collectCorrections = (heard: readonly WordSpan[], edits: readonly WordEdit[]): NameCorrection[] =>
  edits.flatMap((edit) => {
    if (edit.kind !== "text" || edit.words.length === 0 || edit.words.length > MAX_WORDS) return []
    const replaced = heard.filter(({ start, end }) => {
      const time = (start + end) / 2
      return time >= edit.start_s && time <= edit.end_s
    })
    if (replaced.length === 0 || replaced.length > MAX_WORDS) return []
    const term = withoutClosingMarks(edit.words.join(" "))
    const sounds_like = bare(replaced.map(({ word }) => word).join(" "))
      .replaceAll(/ +/g, " ")
      .trim()
    return sounds_like === "" || bare(term) === "" || bare(term) === sounds_like ? [] : [{ term, sounds_like }]
  })

const CAPITAL_OR_DIGIT = /[\p{Lu}\p{N}]/u
/** Shorter words, such as "I" for "eye", are right too often. */
const MIN_LETTERS = 4

/** Returns the correction that looks most like that of a name or a technical term, or null. */
export const findNameCorrection = (heard: readonly WordSpan[], edits: readonly WordEdit[]): NameCorrection | null =>
  collectCorrections(heard, edits).find(
    ({ term, sounds_like }) =>
      CAPITAL_OR_DIGIT.test(term) && term.length >= MIN_LETTERS && sounds_like.length >= MIN_LETTERS,
  ) ?? null
