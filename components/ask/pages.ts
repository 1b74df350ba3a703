import type { Chunk } from "#lib/domain/documents.ts"
import { clock } from "../ui/format.ts"
import { overlapOf } from "./answer.ts"

/** A passage as it is read: `text` without what the one before it has said already, `whole` as it was cited. */
export type Passage = {
  readonly id: string
  readonly text: string
  readonly whole: string
  /** What it stands under, where that changes. */
  readonly heading: string | null
}
/** The passages of one page; `page` is missing where the format has none. */
export type Page = { readonly page: number | undefined; readonly passages: readonly Passage[] }

const headingOf = ({ metadata: { heading, start_s } }: Chunk): string | null =>
  [start_s === undefined ? null : clock(start_s), heading].filter(Boolean).join(" · ") || null

/** A document's passages by the pages that they stand on, in order. */
export const sheetsOf = (parts: readonly Chunk[]): Page[] => {
  const sheets: { page: number | undefined; passages: Passage[] }[] = []
  parts.forEach((part, i) => {
    const before = parts[i - 1]
    const { page } = part.metadata
    if (!before || before.metadata.page !== page) sheets.push({ page, passages: [] })
    const heading = headingOf(part)
    sheets.at(-1)!.passages.push({
      id: part.id,
      text: part.text.slice(before ? overlapOf(before.text, part.text) : 0),
      whole: part.text,
      heading: before && headingOf(before) === heading ? null : heading,
    })
  })
  return sheets
}
