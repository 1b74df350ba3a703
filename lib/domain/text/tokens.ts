const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

let segmenter: Intl.Segmenter | undefined
const unspacedWords = (text: string): string[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" })
  return [...segmenter.segment(text)].filter((s) => s.isWordLike).map((s) => s.segment)
}

/** The words of a text as written, without punctuation: Unicode word segmentation where a script has no spaces. */
export const wordsOf = (text: string): string[] =>
  UNSPACED.test(text) ? unspacedWords(text) : (text.match(WORD) ?? [])

/** The form in which words are compared: NFKC, lower case, straight apostrophes, no possessive. */
export const normalise = (word: string): string => {
  const lower = word.normalize("NFKC").toLowerCase().replaceAll("’", "'")
  return lower.length > 2 && lower.endsWith("'s") ? lower.slice(0, -2) : lower
}

/** Whether a normalised word has a letter and more than one character, or is ideographic. */
export const isWordy = (word: string): boolean => /\p{L}/u.test(word) && (word.length > 1 || UNSPACED.test(word))

/** A text for an index that parts words at spaces and punctuation: scripts that write no spaces get them. */
export const spaced = (text: string): string => (UNSPACED.test(text) ? unspacedWords(text).join(" ") : text)
