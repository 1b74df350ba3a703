import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"

/** The last row of a page: the value that rows are sorted by, and the ID. The next page starts after it. */
export type Position = { readonly value: number | string; readonly id: string }

/** What a list is sorted by. PostgreSQL rejects values of another type. */
const VALUES = { integer: z.int(), real: z.number(), text: z.string().regex(/^[^\0]*$/) } as const

/** The order of a list. `name` is its query parameter `sort`, undefined for the default order. */
export type SortOrder = { readonly name: string | undefined; readonly type: keyof typeof VALUES }

const rest = [z.string().regex(/^[^\0]+$/), z.string().optional()] as const

export const encodeCursor = ({ value, id }: Position, { name }: SortOrder): string =>
  Buffer.from(JSON.stringify(name === undefined ? [value, id] : [value, id, name])).toString("base64url")

/**
 * Decodes a cursor of a list with the same order.
 * @throws AppError `invalid` for any other text
 */
export const decodeCursor = (cursor: string, { name, type }: SortOrder): Position => {
  try {
    const [value, id, given] = z
      .tuple([VALUES[type], ...rest])
      .parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")))
    if (given !== name) throw new Error(`the cursor belongs to the order '${given}'`)
    return { value, id }
  } catch (cause) {
    throw new AppError(
      "invalid",
      "cursor is not valid. Use the next_cursor of the previous page with the same sort, or omit it to start with the first page.",
      { cause },
    )
  }
}
