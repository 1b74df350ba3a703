import { splitSentences } from "../../domain/text/sentences.ts"

/** One or more citations in brackets: `[3]`, `[1, 2]`. */
const CITATION = /\[\s*\d+(?:\s*[,;]\s*\d+)*\s*\]/g
/** An opening bracket followed by more characters than this is not a citation. */
const MAX_CITATION_CHARS = 40

/** A citation in an answer: the number of the source, from 1, and the sentence before the citation. */
export type CitedSentence = { readonly source: number; readonly text: string }

/** Returns the last sentence of a text, or `otherwise` if it has none. */
const findLastSentence = (text: string, otherwise: string): string =>
  splitSentences(text).findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? otherwise

/** Lists the citations of an answer in order. Adjacent citations belong to the same sentence. */
export const extractCitedSentences = (answer: string): CitedSentence[] => {
  const cited: CitedSentence[] = []
  let text = ""
  let from = 0
  for (const citation of answer.matchAll(CITATION)) {
    text = findLastSentence(answer.slice(from, citation.index), text)
    for (const [n] of citation[0].matchAll(/\d+/g)) cited.push({ source: Number(n), text })
    from = citation.index + citation[0].length
  }
  return cited
}

/** Decides whether a source says what a sentence cites it for. */
export type CitationCheck = (citation: CitedSentence) => boolean

/** Returns a function that removes wrong citations from the parts of an answer, and writes the others as `[1][2]`. */
const createCitationFilter = (sources: number, check: CitationCheck): ((part: string) => string) => {
  let sentence = ""
  let sinceCitation = ""
  return (part) => {
    let filtered = ""
    let from = 0
    for (const citation of part.matchAll(CITATION)) {
      const text = part.slice(from, citation.index)
      sentence = findLastSentence(sinceCitation + text, sentence)
      const cited = [...citation[0].matchAll(/\d+/g)].map((match) => Number(match[0]))
      const right = cited.filter((n) => n >= 1 && n <= sources && check({ source: n, text: sentence }))
      filtered += text + right.map((n) => `[${n}]`).join("")
      sinceCitation = ""
      from = citation.index + citation[0].length
    }
    const rest = part.slice(from)
    sinceCitation += rest
    return filtered + rest
  }
}

/**
 * Removes citations from a streamed answer whose source does not exist, or does not say what it is cited for by `check`.
 * Citations may span several parts.
 */
export async function* filterCitations(
  parts: AsyncIterable<string>,
  sources: number,
  check: CitationCheck = () => true,
): AsyncGenerator<string> {
  const filter = createCitationFilter(sources, check)
  let buffer = ""
  for await (const part of parts) {
    buffer += part
    const open = buffer.lastIndexOf("[")
    const isIncomplete = open >= 0 && !buffer.includes("]", open) && buffer.length - open <= MAX_CITATION_CHARS
    const ready = filter(isIncomplete ? buffer.slice(0, open) : buffer)
    buffer = isIncomplete ? buffer.slice(open) : ""
    if (ready) yield ready
  }
  const rest = filter(buffer)
  if (rest) yield rest
}
