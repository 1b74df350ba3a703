import type { Chunk, QueryCitation, QuerySource } from "#lib/domain/documents.ts"
import { getRecordingHref } from "../search/use-library-search.ts"
import { formatClock } from "../ui/format.ts"

/** An answer in pieces: text, and the numbers of the sources that it names. */
export type AnswerPart = { readonly text: string } | { readonly source: number; readonly start_s?: number }

/**
 * `[2]` names the second source; `[1, 3]` two of them; a number that there is no source for is text. `citations` are
 * those of the answer, once it is whole.
 */
export const splitAtCitations = (
  answer: string,
  sources: number,
  citations: readonly QueryCitation[] = [],
): AnswerPart[] => {
  const pieces: AnswerPart[] = []
  let at = 0
  let mark = 0
  for (const match of answer.matchAll(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g)) {
    const named = match[1]!.split(",").map(Number)
    if (named.some((n) => n < 1 || n > sources)) continue
    if (match.index > at) pieces.push({ text: answer.slice(at, match.index) })
    for (const n of named) {
      const cited = citations[mark++]
      pieces.push({ source: n, ...(cited?.source === n && cited.start_s !== undefined && { start_s: cited.start_s }) })
    }
    at = match.index + match[0].length
  }
  if (at < answer.length) pieces.push({ text: answer.slice(at) })
  return pieces
}

/** Whether a passage was spoken in a recording: its source is an id then, and no path. */
export const isFromRecording = ({ metadata: { source, start_s } }: Chunk): boolean =>
  start_s !== undefined && !/[/\\]/.test(source)

/** Where a source stands: the second of the recording that is cited, else of the passage, or the passage in its document. */
export const getSourceHref = ({ chunk }: QuerySource, cited_s?: number): string =>
  isFromRecording(chunk)
    ? getRecordingHref(chunk.metadata.source, cited_s ?? chunk.metadata.start_s)
    : `/ask/documents/${encodeURIComponent(chunk.doc_id)}?part=${encodeURIComponent(chunk.id)}`

/** Its place in words: `12:30`, `page 3`, a heading. */
export const describeLocation = ({ metadata: { page, heading, ...passage } }: Chunk, cited_s?: number): string => {
  const start_s = cited_s ?? passage.start_s
  const place = [
    start_s === undefined ? null : formatClock(start_s),
    page === undefined ? null : `page ${page}`,
    heading,
  ]
  return place.filter(Boolean).join(" · ")
}

export const getSourceName = ({ metadata: { title, source } }: Chunk): string =>
  title ?? source.split(/[/\\]/).at(-1) ?? source

/** Longest overlap that the splitter makes between two parts, with room to spare. */
const MAX_OVERLAP = 1200

/** Before and after a sentence: nothing, a space, or the end of another one in scripts without spaces. */
const SENTENCE_BOUNDARY = /[\s。！？…]/

/** How many characters at the beginning of a part, whole sentences, stand at the end of the part before it already. */
export const getOverlapLength = (before: string, part: string): number => {
  for (let k = Math.min(MAX_OVERLAP, before.length, part.length); k > 0; k--) {
    if (!before.endsWith(part.slice(0, k))) continue
    const ends = k === part.length || SENTENCE_BOUNDARY.test(part[k - 1]!) || SENTENCE_BOUNDARY.test(part[k]!)
    if (ends && (k === before.length || SENTENCE_BOUNDARY.test(before.at(-k - 1)!))) return k
  }
  return 0
}
