import { z } from "zod"
import { AppError } from "../../../domain/errors.ts"

/** The last row of a page: the next page starts below it. */
export type Position = { readonly at: number; readonly id: string }

const shape = z.tuple([z.int(), z.string().regex(/^[^\0]+$/)])

/** Opaque to callers. */
export const encodeCursor = ({ at, id }: Position): string =>
  Buffer.from(JSON.stringify([at, id])).toString("base64url")

/** @throws AppError `invalid` for anything that `encodeCursor` did not make. */
export const decodeCursor = (cursor: string): Position => {
  try {
    const [at, id] = shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")))
    return { at, id }
  } catch (error) {
    throw new AppError("invalid", "cursor: not one that this service gave. Leave it out to start at the newest.", {
      cause: error,
    })
  }
}
