import type { ContentPortion } from "#lib/domain/document-content.ts"
import { lettersOf, positionOfLetter } from "#lib/domain/text/letters.ts"
import type { Mark, MarkKind } from "../reader/marked-runs.ts"

/** A highlight in one piece of text of a page. */
export type PlacedMark = { readonly item: number; readonly from: number; readonly to: number; readonly kind: MarkKind }

/** The text of a page and its highlights, as the index has them. */
type IndexedText = { readonly blocks: ContentPortion["blocks"]; readonly marks: readonly (readonly Mark[])[] }

/** Returns the place of a text in another that is nearest to the expected one, or -1. */
const findNearest = (letters: string, wanted: string, expected: number): number => {
  const [before, after] = [letters.lastIndexOf(wanted, expected), letters.indexOf(wanted, expected)]
  if (before < 0 || after < 0) return Math.max(before, after)
  return expected - before < after - expected ? before : after
}

const textOf = (block: ContentPortion["blocks"][number]): string =>
  "runs" in block ? block.runs.map(({ text }) => text).join("") : ""

/** Finds highlights in the pieces of text that a page is drawn with. Both have the same letters in the same order. */
export const placeMarks = (items: readonly string[], { blocks, marks }: IndexedText): PlacedMark[] => {
  const starts: number[] = []
  let letters = ""
  for (const item of items) {
    starts.push(letters.length)
    letters += lettersOf(item)
  }
  const placed: PlacedMark[] = []
  let before = 0
  blocks.forEach((block, i) => {
    const text = textOf(block)
    for (const { from, to, kind } of marks[i] ?? []) {
      const wanted = lettersOf(text.slice(from, to))
      const expected = before + lettersOf(text.slice(0, from)).length
      const start = findNearest(letters, wanted, expected)
      if (wanted === "" || start < 0) continue
      const end = start + wanted.length
      items.forEach((item, n) => {
        const [first, next] = [starts[n]!, starts[n + 1] ?? letters.length]
        if (next <= start || first >= end || next === first) return
        placed.push({
          item: n,
          from: start > first ? positionOfLetter(item, start - first) : 0,
          to: end < next ? positionOfLetter(item, end - first - 1) + 1 : item.length,
          kind,
        })
      })
    }
    before += lettersOf(text).length
  })
  return placed
}
