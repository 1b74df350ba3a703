const PRINTABLE_ASCII = /^[ -~]*$/
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** A run of text without spaces and marks. Longer ones are segmented in pieces, because ICU takes quadratic time for a run. */
const UNSPACED_RUN = /[^\s\p{P}]{1,400}|[\s\p{P}]{1,400}/gu

const LONG_RUN = /[^\s\p{P}]{400}/u

let segmenter: Intl.Segmenter | undefined
const segmentWords = (text: string): string[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" })
  return [...segmenter.segment(text)].filter((s) => s.isWordLike).map((s) => s.segment)
}
const unspacedWords = (text: string): string[] =>
  LONG_RUN.test(text) ? (text.match(UNSPACED_RUN) ?? []).flatMap(segmentWords) : segmentWords(text)

/** Splits a text into words, without punctuation. Uses Unicode word segmentation for scripts without spaces. */
export const splitWords = (text: string): string[] =>
  UNSPACED.test(text) ? unspacedWords(text) : (text.match(WORD) ?? [])

/** Normalizes a word for comparison: NFKC, lower case, straight apostrophes, no possessive "'s". */
export const normalizeWord = (word: string): string => {
  // NFKC leaves ASCII as it is, and takes longer to find that out.
  const plain = PRINTABLE_ASCII.test(word) ? word : word.normalize("NFKC").replaceAll("’", "'")
  const lower = plain.toLowerCase()
  return lower.length > 2 && lower.endsWith("'s") ? lower.slice(0, -2) : lower
}

/** Returns true if a normalized word has a letter and either two characters or a script without spaces. */
export const isWordLike = (word: string): boolean => /\p{L}/u.test(word) && (word.length > 1 || UNSPACED.test(word))

/** Inserts spaces between the words of scripts without spaces, for a full-text index that splits at spaces. */
export const insertWordSpaces = (text: string): string => (UNSPACED.test(text) ? unspacedWords(text).join(" ") : text)
