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

/** A row of a table, an item of a list: a line that says something by itself. */
const ROW = /\s\|\s|^[^:;\n]{1,80}: [^;\n]+; |^\s*(?:[-*•–]|\d{1,3}[.)])\s/u
/** A line shorter than this share of the longest was not broken for want of room. */
const SHORT = 0.6

/** Whether the text goes on from one line to the next: broken for want of room, not because something new begins. */
const goesOn = (line: string, next: string, longest: number): boolean =>
  !ROW.test(line) && !ROW.test(next) && (line.length > SHORT * longest || !/^["'“‘(]*[\p{Lu}\p{N}]/u.test(next))

/**
 * What a text says piece by piece: its sentences, and by themselves the lines that are none: headings, rows of tables,
 * items of lists. Trimmed, none empty.
 */
export const statementsIn = (text: string): string[] => {
  const longest = text.split("\n").reduce((length, line) => Math.max(length, line.trim().length), 0)
  return sentencesIn(text).flatMap((sentence) => {
    const parts: string[][] = []
    for (const line of sentence.split("\n").map((l) => l.trim())) {
      const open = parts.at(-1)
      if (line === "") continue
      if (open && goesOn(open.at(-1)!, line, longest)) open.push(line)
      else parts.push([line])
    }
    return parts.map((lines) => lines.join(" "))
  })
}
