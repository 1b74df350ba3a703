import { endsSentence } from "./utterances.ts"

/** A sentence end with what follows it, an ideographic one, or an empty line. */
const BORDER = /[.!?…]["'”’»)\]]*\s+|[。！？।؟]["'”’»」』）]*\s*|\s*\n[ \t]*\n\s*/gu
/** Longest word that is looked at for being an abbreviation. */
const MAX_ABBREVIATION = 24

const lastWord = (text: string, end: number): string =>
  text.slice(Math.max(0, end - MAX_ABBREVIATION), end).match(/\S+$/u)?.[0] ?? ""

/**
 * Where the sentences of a written text end: offsets, the last being its length; what stands between two of them is one
 * sentence with the space after it. An empty line ends a sentence whatever its mark. Linear.
 */
export const sentenceEnds = (text: string): number[] => {
  const ends: number[] = []
  for (const border of text.matchAll(BORDER)) {
    const end = border.index + border[0].length
    const mark = border[0].trimEnd()
    if (
      /^[.]/u.test(mark) &&
      !/\n[ \t]*\n/u.test(border[0]) &&
      !endsSentence(lastWord(text, border.index + mark.length))
    )
      continue
    if (end < text.length) ends.push(end)
  }
  if (text.length > 0) ends.push(text.length)
  return ends
}

/** The sentences of a text, trimmed, none empty. */
export const sentencesIn = (text: string): string[] => {
  let from = 0
  return sentenceEnds(text).flatMap((end) => {
    const sentence = text.slice(from, end).trim()
    from = end
    return sentence ? [sentence] : []
  })
}
