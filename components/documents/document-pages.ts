import type { Chunk } from "#lib/domain/documents.ts"
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

/** Upper limit of the overlap of two neighboring chunks, in characters. */
const MAX_OVERLAP = 1200

/** Characters between sentences. Scripts without spaces have only the punctuation. */
const SENTENCE_BOUNDARY = /[\s。！？…]/

/** Returns how many characters at the start of a chunk, in complete sentences, repeat the end of the previous chunk. */
export const getOverlapLength = (previous: string, chunk: string): number => {
  for (let k = Math.min(MAX_OVERLAP, previous.length, chunk.length); k > 0; k--) {
    if (!previous.endsWith(chunk.slice(0, k))) continue
    const ends = k === chunk.length || SENTENCE_BOUNDARY.test(chunk[k - 1]!) || SENTENCE_BOUNDARY.test(chunk[k]!)
    if (ends && (k === previous.length || SENTENCE_BOUNDARY.test(previous.at(-k - 1)!))) return k
  }
  return 0
}

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
