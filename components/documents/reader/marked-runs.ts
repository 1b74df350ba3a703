import type { TextRun } from "#lib/domain/document-content.ts"

/** How a range of a block's text is highlighted: as the passage of the address, as a match, or as the current match. */
export type MarkKind = "passage" | "match" | "now"
export type Mark = { readonly from: number; readonly to: number; readonly kind: MarkKind }

/** Text in one style with its highlights. */
export type MarkedRun = { readonly run: TextRun; readonly kinds: readonly MarkKind[] }

/** Divides runs where highlights begin and end. Positions count in the text of the block. */
export const markRuns = (runs: readonly TextRun[], marks: readonly Mark[]): MarkedRun[] => {
  const marked: MarkedRun[] = []
  let start = 0
  for (const run of runs) {
    const end = start + run.text.length
    const inside = marks.filter(({ from, to }) => from < end && to > start)
    const cuts = inside.flatMap(({ from, to }) => [from, to]).filter((at) => at > start && at < end)
    const bounds = [...new Set([start, ...cuts, end])].toSorted((a, b) => a - b)
    for (let i = 0; i + 1 < bounds.length; i++) {
      const [from, to] = [bounds[i]!, bounds[i + 1]!]
      const kinds = inside.filter((mark) => mark.from <= from && mark.to >= to).map(({ kind }) => kind)
      marked.push({ run: { ...run, text: run.text.slice(from - start, to - start) }, kinds })
    }
    start = end
  }
  return marked
}
