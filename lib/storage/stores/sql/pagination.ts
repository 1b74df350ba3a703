import { type AnyColumn, and, desc, eq, lt, or, type SQL } from "drizzle-orm"
import { z } from "zod"
import { AppError } from "../../../domain/errors.ts"

/** The last row of a page; the next page starts after it. */
type Position = { readonly createdAt: number; readonly id: string }

const position = z.tuple([z.int(), z.string().regex(/^[^\0]+$/)])

const encodeCursor = ({ createdAt, id }: Position): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString("base64url")

/**
 * Decodes a cursor that `splitPage` returned.
 * @throws AppError `invalid` for any other text
 */
export const decodeCursor = (cursor: string | undefined): Position | undefined => {
  if (cursor === undefined) return undefined
  try {
    const [createdAt, id] = position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")))
    return { createdAt, id }
  } catch (error) {
    throw new AppError(
      "invalid",
      "cursor is not valid. Use the next_cursor of the previous page, or omit it to start with the newest.",
      {
        cause: error,
      },
    )
  }
}

type Sortable = { readonly createdAt: AnyColumn; readonly id: AnyColumn }

/** Returns the condition for rows after a position, or undefined without one. */
export const isAfter = ({ createdAt, id }: Sortable, last: Position | undefined): SQL | undefined =>
  last && or(lt(createdAt, last.createdAt), and(eq(createdAt, last.createdAt), lt(id, last.id)))

export const newestFirst = ({ createdAt, id }: Sortable): [SQL, SQL] => [desc(createdAt), desc(id)]

/** Splits `limit + 1` queried rows into a page and, if there are more rows, the cursor of the next page. */
export const splitPage = <T extends Position>(
  rows: readonly T[],
  limit: number,
): { readonly page: readonly T[]; readonly next: { readonly next_cursor?: string } } => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? { next_cursor: encodeCursor(last) } : {} }
}
