/** Signs that no text holds: what the full-text index puts around what it found. */
export const MARK_FROM = "\u0002"
export const MARK_TO = "\u0003"

export type Marked = { readonly text: string; readonly marks: [number, number][] }

/**
 * Marks as every index would set them: one mark between two spaces. For "sq-12" one index marks the whole, another its two words.
 */
const perWord = ({ text, marks }: Marked): Marked => {
  const pieces = marks.flatMap(([from, to]) =>
    [...text.slice(from, to).matchAll(/\S+/g)].map(({ 0: piece, index }): [number, number] => [
      from + index,
      from + index + piece.length,
    ]),
  )
  const joined: [number, number][] = []
  for (const [from, to] of pieces) {
    const last = joined.at(-1)
    if (last && !/\s/.test(text.slice(last[1], from))) last[1] = to
    else joined.push([from, to])
  }
  return { text, marks: joined }
}

/** A text with its marks taken out and counted. */
export const stripHighlights = (lit: string): Marked => {
  const marks: [number, number][] = []
  let text = ""
  for (const sign of lit)
    if (sign === MARK_FROM) marks.push([text.length, text.length])
    else if (sign === MARK_TO) marks.at(-1)![1] = text.length
    else text += sign
  return perWord({ text, marks })
}

/** About `length` characters around the first mark, ended at spaces; the marks move with it. */
export const excerpt = ({ text, marks }: Marked, length = 160): Marked => {
  if (text.length <= length) return { text, marks }
  const first = marks[0]?.[0] ?? 0
  const wish = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length))
  const from = wish === 0 ? 0 : text.indexOf(" ", wish) + 1
  const space = text.lastIndexOf(" ", from + length)
  const to = from + length >= text.length ? text.length : space > from ? space : from + length
  const [head, tail] = [from > 0 ? "… " : "", to < text.length ? " …" : ""]
  const shift = head.length - from
  return {
    text: head + text.slice(from, to) + tail,
    marks: marks.filter(([a, b]) => a >= from && b <= to).map(([a, b]) => [a + shift, b + shift]),
  }
}
