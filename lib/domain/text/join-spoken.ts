/** Tokens that consist only of marks which follow a word without a space. */
const CLOSING_MARKS = /^(?:[,.;:!?…%)\]}»”。、，！？；：؟،।]+|'')$/u
/** Tokens that consist only of marks which precede a word without a space. */
const OPENING_MARKS = /^(?:[([{«“¿¡]+|``)$/u
/** Parts of contractions that tokenizers split off: "we 're", "do n't", "Anna 's". */
const CLITIC = /^(?:['’](?:s|re|ve|ll|d|m|t)|n['’]t)(?!['’\p{L}\p{N}])/iu
/** The second parts of "gonna", "gotta" and "wanna", by their first parts. */
const SPLIT_PAIRS: Readonly<Record<string, string>> = { gon: "na", wan: "na", got: "ta", lem: "me", gim: "me" }
const ENDS_IN_LETTER = /[\p{L}\p{N}]$/u
const IDEOGRAPH = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}。、！？，；：]"
const STARTS_WITH_IDEOGRAPH = new RegExp(`^${IDEOGRAPH}`, "u")
const ENDS_IN_IDEOGRAPH = new RegExp(`${IDEOGRAPH}$`, "u")

/** Returns true if a mark or a part of a contraction belongs to the word before it, so that no line may begin with it. */
export const isAttached = (before: string, word: string): boolean =>
  CLOSING_MARKS.test(word) ||
  OPENING_MARKS.test(before) ||
  (CLITIC.test(word) && ENDS_IN_LETTER.test(before)) ||
  SPLIT_PAIRS[before.toLowerCase()] === word.toLowerCase()

/** Returns true if a space separates two consecutive words of a transcript. */
export const isSpaced = (before: string, word: string): boolean =>
  !isAttached(before, word) && !(ENDS_IN_IDEOGRAPH.test(before) && STARTS_WITH_IDEOGRAPH.test(word))

/**
 * Joins words as they are written: "we 're on ." becomes "we're on.". Attaches separate punctuation marks and the parts of
 * contractions, and writes no spaces between ideographs. Every text that people read uses it; words keep their own times.
 */
export const joinSpoken = (words: readonly string[]): string => {
  let text = ""
  let before: string | undefined
  for (const word of words) {
    text += before !== undefined && isSpaced(before, word) ? ` ${word}` : word
    before = word
  }
  return text
}
