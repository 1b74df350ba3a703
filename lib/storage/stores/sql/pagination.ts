import { type AnyColumn, and, asc, desc, eq, gt, gte, lt, or, type SQL, sql } from "drizzle-orm"
import type { CreatedRange } from "../../../domain/schemas.ts"
import { decodeCursor, encodeCursor, type Position, type SortOrder } from "../search/cursors.ts"

export type Order = SortOrder & {
  readonly column: AnyColumn | SQL
  readonly id: AnyColumn
  readonly isDescending: boolean
}

/** Returns the default order of a list: newest first. */
export const newestFirst = ({ createdAt, id }: { readonly createdAt: AnyColumn; readonly id: AnyColumn }): Order => ({
  name: undefined,
  type: "integer",
  column: createdAt,
  id,
  isDescending: true,
})

/** Returns the condition for rows after the page that a cursor ends, or undefined without a cursor. */
export const isAfter = (cursor: string | undefined, order: Order): SQL | undefined => {
  if (cursor === undefined) return undefined
  const { column, id, isDescending } = order
  const last = decodeCursor(cursor, order)
  const follows = isDescending ? lt : gt
  const left = sql`${column}`
  return or(follows(left, last.value), and(eq(left, last.value), follows(id, last.id)))
}

/** Returns the columns of an order. Rows with equal values are sorted by ID, in the same direction. */
export const orderBy = ({ column, id, isDescending }: Order): [SQL, SQL] => {
  const direction = isDescending ? desc : asc
  return [direction(column), direction(id)]
}

/** Splits `limit + 1` queried rows into a page and, if there are more rows, the cursor of the next page. */
export const splitPage = <T extends Position>(
  rows: readonly T[],
  limit: number,
  order: Order,
): { readonly page: readonly T[]; readonly next: { readonly next_cursor?: string } } => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? { next_cursor: encodeCursor(last, order) } : {} }
}

/** Returns the condition for rows that were created in a range, or undefined without one. */
export const isCreatedIn = (column: AnyColumn, { created_after: after, created_before: before }: CreatedRange) =>
  and(
    after === undefined ? undefined : gte(column, Date.parse(after)),
    before === undefined ? undefined : lt(column, Date.parse(before)),
  )
