import type { IfMatch } from "../../../domain/clip-version.ts"
import { AppError } from "../../../domain/errors.ts"

/** A row that counts its changes. Times in Unix milliseconds. */
type VersionedRow = { readonly createdAt: number; readonly updatedAt: number; readonly version: number }

/** Returns the ETag of a row, which differs from that of a deleted row with the same ID. */
export const rowEtag = ({ createdAt, version }: Omit<VersionedRow, "updatedAt">): string =>
  `"${createdAt.toString(36)}-${version}"`

/**
 * Checks that a row is in a version that the caller has seen. `noun` names the row in the message, such as `note`.
 * @throws AppError `precondition_failed`
 */
export const requireRowVersion = (noun: string, row: VersionedRow, ifMatch: IfMatch | undefined): void => {
  const etag = rowEtag(row)
  if (ifMatch === undefined || ifMatch === "*" || ifMatch.includes(etag)) return
  const updated_at = new Date(row.updatedAt).toISOString()
  throw new AppError(
    "precondition_failed",
    `The ${noun} changed since the version in If-Match; the last change was at ${updated_at}. Read it again, then repeat your change with the new ETag.`,
    { fields: { etag, updated_at } },
  )
}
