import type { QueryScope } from "../../../domain/documents.ts"
import { formsOf, readAs } from "../../../domain/text/irregular.ts"
import { stem } from "../../../domain/text/stem.ts"
import type { DocumentIndex } from "../../../storage/stores/ports/documents.ts"
import { searchable, searchWords } from "./question.ts"

/** Share of a question's weight that the passages must hold together. */
const ENOUGH = 0.5

/**
 * Whether the passages can hold the answer at all: the words of the question that they have, weighed by how rare each is
 * in the whole scope. A word that stands nowhere weighs most, so a question about something else is told from one that
 * merely has common words in it.
 */
export const isCovered = async (
  index: DocumentIndex,
  question: string,
  scope: QueryScope,
  passages: readonly { readonly text: string; readonly title: string }[],
): Promise<boolean> => {
  if (passages.length === 0) return false
  const words = searchWords(question)
  if (words.length === 0) return false
  const forms = words.map(formsOf)
  const { total, counts } = await index.countChunksWithWords(forms.flat(), scope)
  const as = readAs(words)
  const stems = new Set(
    passages.flatMap(({ text, title }) => searchable(`${title}\n${text}`).map((word) => as(stem(word)))),
  )
  let held = 0
  let whole = 0
  let at = 0
  words.forEach((word, i) => {
    const end = at + forms[i]!.length
    const times = counts.slice(at, end).reduce((a, b) => a + b, 0)
    at = end
    const weight = Math.log(1 + (total + 1) / (times + 0.5))
    whole += weight
    if (stems.has(stem(word))) held += weight
  })
  return held >= ENOUGH * whole
}
