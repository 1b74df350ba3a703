import type { Chunk, QueryCitation, QuerySource } from "#lib/domain/documents.ts"
import { getPassageHref } from "../documents/document-address.ts"
import { getRecordingHref } from "../search/use-library-search.ts"
import { formatClock } from "../ui/format.ts"

/** A part of an answer: text, or a citation of a source by its number. */
export type AnswerPart = { readonly text: string } | QueryCitation

/**
 * Splits an answer at its citations: `[2]` cites the second source, `[1, 3]` cites two. A number without a source stays
 * text. `citations`, available once the answer is complete, adds times to the citations.
 */
export const splitAtCitations = (
  answer: string,
  sources: number,
  citations: readonly QueryCitation[] = [],
): AnswerPart[] => {
  const parts: AnswerPart[] = []
  let at = 0
  let mark = 0
  for (const match of answer.matchAll(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g)) {
    const named = match[1]!.split(",").map(Number)
    if (named.some((n) => n < 1 || n > sources)) continue
    if (match.index > at) parts.push({ text: answer.slice(at, match.index) })
    for (const n of named) {
      const cited = citations[mark++]
      parts.push(cited?.source === n ? cited : { source: n })
    }
    at = match.index + match[0].length
  }
  if (at < answer.length) parts.push({ text: answer.slice(at) })
  return parts
}

/** Returns true if a chunk comes from a recording. Its source is then an ID instead of a path. */
export const isFromRecording = ({ metadata: { source, start_s } }: Chunk): boolean =>
  start_s !== undefined && !/[/\\]/.test(source)

/** Returns the address of a source: a time in a recording, or a part of a document. */
export const getSourceHref = ({ chunk }: QuerySource, cited_s?: number): string =>
  isFromRecording(chunk)
    ? getRecordingHref(chunk.metadata.source, cited_s ?? chunk.metadata.start_s)
    : getPassageHref(chunk.doc_id, chunk.id)

/** Describes where a chunk is in its source, by time, page or heading: `12:30`, `page 3 · Introduction`. */
export const describeLocation = ({ metadata: { page, heading, ...metadata } }: Chunk, cited_s?: number): string => {
  const start_s = cited_s ?? metadata.start_s
  const location = [
    start_s === undefined ? null : formatClock(start_s),
    page === undefined ? null : `page ${page}`,
    heading,
  ]
  return location.filter(Boolean).join(" · ")
}

export const getSourceName = ({ metadata: { title, source } }: Chunk): string =>
  title ?? source.split(/[/\\]/).at(-1) ?? source

/** Groups values by a key, in the order in which the keys first occur. */
export const groupBy = <T>(values: readonly T[], keyOf: (value: T) => string): T[][] => {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? []
    groups.set(keyOf(value), group)
    group.push(value)
  }
  return [...groups.values()]
}
