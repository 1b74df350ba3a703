import type { Chunk } from "#lib/domain/documents.ts"
import { getOverlapLength } from "../ask/citations.ts"
import { formatClock } from "../ui/format.ts"

/** A passage as it is read: `text` without what the one before it has said already, `whole` as it was cited. */
export type DocumentPart = {
  readonly id: string
  readonly text: string
  readonly whole: string
  /** What it stands under, where that changes. */
  readonly heading: string | null
}
/** The passages of one page; `page` is missing where the format has none. */
export type Page = { readonly page: number | undefined; readonly parts: readonly DocumentPart[] }

const getHeading = ({ metadata: { heading, start_s } }: Chunk): string | null =>
  [start_s === undefined ? null : formatClock(start_s), heading].filter(Boolean).join(" · ") || null

/** A document's passages by the pages that they stand on, in order. */
export const splitIntoPages = (parts: readonly Chunk[]): Page[] => {
  const sheets: { page: number | undefined; parts: DocumentPart[] }[] = []
  parts.forEach((part, i) => {
    const before = parts[i - 1]
    const { page } = part.metadata
    if (!before || before.metadata.page !== page) sheets.push({ page, parts: [] })
    const heading = getHeading(part)
    sheets.at(-1)!.parts.push({
      id: part.id,
      text: part.text.slice(before ? getOverlapLength(before.text, part.text) : 0),
      whole: part.text,
      heading: before && getHeading(before) === heading ? null : heading,
    })
  })
  return sheets
}
