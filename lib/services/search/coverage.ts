import type { QueryScope } from "../../domain/documents.ts"
import { createStemMapper, listVerbForms, stem } from "../../domain/text/stem.ts"
import type { DocumentIndex } from "../../storage/stores/ports/documents.ts"
import { selectQuestionWords, splitSearchWords } from "./query-terms.ts"

/** The share of the question's total word weight that the retrieved chunks must contain. */
const MIN_COVERAGE = 0.5

/**
 * Returns true if the retrieved chunks contain enough words of the question to answer it. A word weighs more the rarer it
 * is in the whole scope, and most if it does not occur at all. Therefore a question about an unknown subject is not
 * covered by chunks that share only its common words.
 */
export const isCovered = async (
  index: DocumentIndex,
  question: string,
  scope: QueryScope,
  chunks: readonly { readonly text: string; readonly title: string }[],
): Promise<boolean> => {
  if (chunks.length === 0) return false
  const words = selectQuestionWords(question)
  if (words.length === 0) return false
  const forms = words.map(listVerbForms)
  const { total, counts } = await index.countChunksWithWords(forms.flat(), scope)
  const unifyForms = createStemMapper(words)
  const stems = new Set(
    chunks.flatMap(({ text, title }) => splitSearchWords(`${title}\n${text}`).map((word) => unifyForms(stem(word)))),
  )
  let coveredWeight = 0
  let totalWeight = 0
  let offset = 0
  words.forEach((word, i) => {
    const end = offset + forms[i]!.length
    const occurrences = counts.slice(offset, end).reduce((a, b) => a + b, 0)
    offset = end
    const weight = Math.log(1 + (total + 1) / (occurrences + 0.5))
    totalWeight += weight
    if (stems.has(stem(word))) coveredWeight += weight
  })
  return coveredWeight >= MIN_COVERAGE * totalWeight
}
