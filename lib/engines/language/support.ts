import { stem } from "../../domain/text/stem.ts"
import { detectStopWords, isContentWord } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"

/** The share of the content words of a sentence that a passage must contain to support it. */
const MIN_SHARE = 0.25

const wordsOf = (text: string): string[] => splitWords(text).map(normalizeWord)

/**
 * Returns true if a passage may support a sentence that cites it: if it contains enough of its content words, in any form.
 * Texts in different languages cannot be compared by words, and a sentence without content words says nothing to check;
 * both count as supported.
 */
export const isSupported = (sentence: string, passage: string): boolean => {
  const [said, source] = [wordsOf(sentence), wordsOf(passage)]
  const stopWords = detectStopWords(source)
  const ownStopWords = detectStopWords(said)
  if (ownStopWords.size > 0 && stopWords.size > 0 && ownStopWords !== stopWords) return true
  const content = new Set(said.filter((word) => isContentWord(word, stopWords) || /\d/.test(word)).map(stem))
  if (content.size === 0) return true
  const stems = new Set(source.map(stem))
  const shared = [...content].filter((word) => stems.has(word)).length
  return shared >= MIN_SHARE * content.size
}
