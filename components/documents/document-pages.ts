import type { Chunk } from "#lib/domain/documents.ts"
import { getOverlapLength } from "../ask/citations.ts"
import { formatClock } from "../ui/format.ts"

/** A chunk for display: `text` without the overlap with the previous chunk, `whole` as indexed and cited. */
export type DocumentPart = {
  readonly id: string
  readonly text: string
  readonly whole: string
  /** The heading or time, if it differs from the previous part. */
  readonly heading: string | null
}
/** The parts of one page. `page` is undefined if the format has no pages. */
export type Page = { readonly page: number | undefined; readonly parts: readonly DocumentPart[] }

const getHeading = ({ metadata: { heading, start_s } }: Chunk): string | null =>
  [start_s === undefined ? null : formatClock(start_s), heading].filter(Boolean).join(" · ") || null

/** Groups the chunks of a document by page. */
export const splitIntoPages = (chunks: readonly Chunk[]): Page[] => {
  const pages: { page: number | undefined; parts: DocumentPart[] }[] = []
  chunks.forEach((chunk, i) => {
    const previous = chunks[i - 1]
    const { page } = chunk.metadata
    if (!previous || previous.metadata.page !== page) pages.push({ page, parts: [] })
    const heading = getHeading(chunk)
    pages.at(-1)!.parts.push({
      id: chunk.id,
      text: chunk.text.slice(previous ? getOverlapLength(previous.text, chunk.text) : 0),
      whole: chunk.text,
      heading: previous && getHeading(previous) === heading ? null : heading,
    })
  })
  return pages
}
