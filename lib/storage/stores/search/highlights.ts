import { type PlacedStem, placedStems, stemsOf } from "./stems.ts"

/** A text with the parts that a search found, as index ranges: start inclusive, end exclusive. */
export type HighlightedText = { readonly text: string; readonly marks: [number, number][] }

/** Returns the indexes of the stems at which a phrase begins. */
const findPhrase = (stems: readonly PlacedStem[], phrase: readonly string[], isLastPrefix: boolean): number[] =>
  stems.flatMap((_, start) => {
    const isMatch = phrase.every((wanted, i) => {
      const found = stems[start + i]?.stem
      return found === wanted || (isLastPrefix && i === phrase.length - 1 && found?.startsWith(wanted))
    })
    return isMatch ? [start] : []
  })

/** Splits marks at whitespace and joins those of one word: "sq-12" gets one mark, although it has two stems. */
const joinMarksPerWord = (text: string, marks: readonly [number, number][]): [number, number][] => {
  const parts = marks.flatMap(([from, to]) =>
    [...text.slice(from, to).matchAll(/\S+/g)].map(({ 0: part, index }): [number, number] => [
      from + index,
      from + index + part.length,
    ]),
  )
  const joined: [number, number][] = []
  for (const [from, to] of parts) {
    const last = joined.at(-1)
    if (last && !/\s/.test(text.slice(last[1], from))) last[1] = to
    else joined.push([from, to])
  }
  return joined
}

/**
 * Marks the words of a query in a text, the last one also as a prefix. Every store uses this function instead of the
 * highlights of its full-text index, so that all of them mark alike.
 */
export const highlight = (text: string, words: readonly string[]): HighlightedText => {
  const stems = placedStems(text)
  const found = new Set<number>()
  words.forEach((word, n) => {
    const phrase = stemsOf(word)
    if (phrase.length === 0) return
    for (const start of findPhrase(stems, phrase, n === words.length - 1))
      for (const i of phrase.keys()) found.add(start + i)
  })
  const marks: [number, number][] = []
  for (const index of [...found].sort((a, b) => a - b)) {
    const { from, to } = stems[index]!
    // Two stems of one character, such as a fraction, have the same range.
    if (from >= (marks.at(-1)?.[1] ?? 0)) marks.push([from, to])
  }
  return { text, marks: joinMarksPerWord(text, marks) }
}

/** Returns a part of a text with the marks that lie in it. */
export const sliceHighlights = ({ text, marks }: HighlightedText, from: number, to: number): HighlightedText => ({
  text: text.slice(from, to),
  marks: marks.filter(([a, b]) => a >= from && b <= to).map(([a, b]) => [a - from, b - from]),
})

/** Returns about `length` characters around the first mark, cut at spaces. */
export const excerpt = (highlighted: HighlightedText, length = 160): HighlightedText => {
  const { text, marks } = highlighted
  if (text.length <= length) return highlighted
  const first = marks[0]?.[0] ?? 0
  const ideal = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length))
  const from = ideal === 0 ? 0 : text.indexOf(" ", ideal) + 1
  const space = text.lastIndexOf(" ", from + length)
  const to = from + length >= text.length ? text.length : space > from ? space : from + length
  const [head, tail] = [from > 0 ? "… " : "", to < text.length ? " …" : ""]
  const part = sliceHighlights(highlighted, from, to)
  return {
    text: head + part.text + tail,
    marks: part.marks.map(([a, b]) => [a + head.length, b + head.length]),
  }
}
