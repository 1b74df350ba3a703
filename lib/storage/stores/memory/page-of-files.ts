import { formatOf } from "../../../domain/document-formats.ts"
import type { DocumentsQuery } from "../../../domain/documents.ts"
import type { FileEntry, FilePage } from "../ports/documents.ts"
import { decodeCursor, encodeCursor, type Position } from "../search/cursors.ts"

const compare = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

const matches = ({ q, format, created_after: after, created_before: before }: DocumentsQuery) => {
  const wanted = q?.toLowerCase() ?? ""
  return ({ source, title, writtenAt }: FileEntry): boolean =>
    [source, title ?? ""].some((text) => text.toLowerCase().includes(wanted)) &&
    (format === undefined || formatOf(source) === format) &&
    (after === undefined || writtenAt >= Date.parse(after)) &&
    (before === undefined || writtenAt < Date.parse(before))
}

/** Returns the page of files that a query asks for. @throws AppError `invalid` for an unknown cursor */
export const pageOfFiles = (files: readonly FileEntry[], query: DocumentsQuery): FilePage => {
  const { sort = "source", cursor, limit = files.length } = query
  const positionOf = ({ id, source, writtenAt }: FileEntry): Position => ({
    id,
    value: sort.endsWith("created_at") ? writtenAt : source,
  })
  const sortOrder = { name: sort, type: sort.endsWith("created_at") ? "integer" : "text" } as const
  const sign = sort.startsWith("-") ? -1 : 1
  const order = (a: Position, b: Position) => sign * (compare(a.value, b.value) || compare(a.id, b.id))
  const last = cursor === undefined ? null : decodeCursor(cursor, sortOrder)
  const rest = files
    .filter(matches(query))
    .filter((file) => last === null || order(positionOf(file), last) > 0)
    .sort((a, b) => order(positionOf(a), positionOf(b)))
  const page = rest.slice(0, limit)
  const end = page.at(-1)
  return { files: page, ...(rest.length > limit && end && { next_cursor: encodeCursor(positionOf(end), sortOrder) }) }
}
