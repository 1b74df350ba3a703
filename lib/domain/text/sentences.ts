import { endsSentence } from "./utterances.ts"

/** The end of a sentence with the space after it, an ideographic full stop, or an empty line with the space after it. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|[。！？।؟]["'”’»」』）]*\s*|\n[ \t]*\n\s*/gu
/** Longest word that may be an abbreviation. */
const MAX_ABBREVIATION_CHARS = 24

const lastWord = (text: string, end: number): string =>
  text
    .slice(Math.max(0, end - MAX_ABBREVIATION_CHARS), end)
    .split(/\s/u)
    .at(-1)!

/**
 * Returns the offsets at which the sentences of a written text end, each after the space that follows the sentence. The
 * last offset is the length of the text. An empty line always ends a sentence. Runs in linear time.
 */
export const findSentenceEnds = (text: string): number[] => {
  const ends: number[] = []
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    const mark = match[0].trimEnd()
    if (/^[.]/u.test(mark) && !/\n[ \t]*\n/u.test(match[0]) && !endsSentence(lastWord(text, match.index + mark.length)))
      continue
    if (end < text.length) ends.push(end)
  }
  if (text.length > 0) ends.push(text.length)
  return ends
}

/** Splits a text into sentences, trimmed, without empty ones. */
export const splitSentences = (text: string): string[] => {
  let from = 0
  return findSentenceEnds(text).flatMap((end) => {
    const sentence = text.slice(from, end).trim()
    from = end
    return sentence ? [sentence] : []
  })
}

/** Matches a table row or a list item. */
const ROW = /\s\|\s|^[^:;\n]{1,80}: [^;\n]+; |^\s*(?:[-*•–]|\d{1,3}[.)])\s/u
/** A line shorter than this share of the longest line was not wrapped. */
const MIN_WRAPPED_SHARE = 0.6

/** Returns true if the line was wrapped and the next one continues it. */
const isWrapped = (line: string, next: string, longest: number): boolean =>
  !ROW.test(line) &&
  !ROW.test(next) &&
  (line.length > MIN_WRAPPED_SHARE * longest || !/^["'“‘(]*[\p{Lu}\p{N}]/u.test(next))

/**
 * Splits a text into statements: sentences, headings, table rows and list items. Joins wrapped lines. Statements are
 * trimmed and not empty.
 */
export const splitStatements = (text: string): string[] => {
  const longest = text.split("\n").reduce((length, line) => Math.max(length, line.trim().length), 0)
  return splitSentences(text).flatMap((sentence) => {
    const parts: string[][] = []
    for (const line of sentence.split("\n").map((l) => l.trim())) {
      const open = parts.at(-1)
      if (line === "") continue
      if (open && isWrapped(open.at(-1)!, line, longest)) open.push(line)
      else parts.push([line])
    }
    return parts.map((lines) => lines.join(" "))
  })
}
