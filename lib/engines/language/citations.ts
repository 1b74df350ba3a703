import { splitSentences } from "../../domain/text/sentences.ts"

/** One or more citations in brackets: `[3]`, `[1, 2]`. */
const CITATION = /\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]/g
/** An opening bracket followed by more characters than this is not a citation. */
const MAX_CITATION_CHARS = 40

/** Removes citations of sources that do not exist, and writes the others as `[1][2]`. */
const removeInvalidCitations = (text: string, sources: number): string =>
  text.replace(CITATION, (citation) =>
    [...citation.matchAll(/\d+/g)]
      .map((m) => Number(m[0]))
      .filter((n) => n >= 1 && n <= sources)
      .map((n) => `[${n}]`)
      .join(""),
  )

/** A citation in an answer: the number of the source, from 1, and the sentence before the citation. */
export type CitedSentence = { readonly source: number; readonly text: string }

/** Lists the citations of an answer in order. Adjacent citations belong to the same sentence. */
export const extractCitedSentences = (answer: string): CitedSentence[] => {
  const cited: CitedSentence[] = []
  let text = ""
  let from = 0
  for (const citation of answer.matchAll(CITATION)) {
    const sentences = splitSentences(answer.slice(from, citation.index))
    text = sentences.findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? text
    for (const [n] of citation[0].matchAll(/\d+/g)) cited.push({ source: Number(n), text })
    from = citation.index + citation[0].length
  }
  return cited
}

/** Removes citations of sources that do not exist from a streamed answer. Citations may span several parts. */
export async function* filterCitations(parts: AsyncIterable<string>, sources: number): AsyncGenerator<string> {
  let buffer = ""
  for await (const part of parts) {
    buffer += part
    const open = buffer.lastIndexOf("[")
    const isIncomplete = open >= 0 && !buffer.includes("]", open) && buffer.length - open <= MAX_CITATION_CHARS
    const ready = removeInvalidCitations(isIncomplete ? buffer.slice(0, open) : buffer, sources)
    buffer = isIncomplete ? buffer.slice(open) : ""
    if (ready) yield ready
  }
  const rest = removeInvalidCitations(buffer, sources)
  if (rest) yield rest
}
