import { createStemMapper, listVerbForms, stem } from "../../domain/text/stem.ts"
import type { ChunkScope, DocumentIndex } from "../../storage/stores/ports/documents.ts"
import { selectQuestionWords, splitSearchWords } from "./query-terms.ts"

/** The share of the question's total word weight that texts must contain. */
const MIN_COVERAGE = 0.5

/** Returns true if texts contain enough words of a question to answer it. */
export type CoverageTest = (texts: readonly string[]) => boolean

/**
 * Returns a test of whether texts contain enough words of a question to answer it. A word weighs more the rarer it is in
 * the whole scope, and most if it does not occur at all. Therefore a question about an unknown subject is not covered by
 * texts that share only its common words.
 */
export const loadCoverageTest = async (
  index: DocumentIndex,
  question: string,
  scope: ChunkScope,
): Promise<CoverageTest> => {
  const words = selectQuestionWords(question)
  const forms = words.map(listVerbForms)
  const { total, counts } = await index.countChunksWithWords(forms.flat(), scope)
  const unifyForms = createStemMapper(words)
  let offset = 0
  const weighted = words.map((word, i) => {
    const end = offset + forms[i]!.length
    const occurrences = counts.slice(offset, end).reduce((a, b) => a + b, 0)
    offset = end
    return { stem: stem(word), weight: Math.log(1 + (total + 1) / (occurrences + 0.5)) }
  })
  const totalWeight = weighted.reduce((sum, { weight }) => sum + weight, 0)
  return (texts) => {
    const stems = new Set(texts.flatMap((text) => splitSearchWords(text).map((word) => unifyForms(stem(word)))))
    const coveredWeight = weighted.reduce((sum, word) => sum + (stems.has(word.stem) ? word.weight : 0), 0)
    return texts.length > 0 && words.length > 0 && coveredWeight >= MIN_COVERAGE * totalWeight
  }
}
