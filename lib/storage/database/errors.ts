import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"

/** If less than this is free, a failed write or file creation is attributed to a full disk. */
const MIN_FREE_BYTES = 2 ** 20

/** Returns the code of a driver or system error, also if the query builder wrapped it. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === "string" ? code : codeOf(cause)
}

const isFull = (folder: string): boolean => {
  try {
    // A file system without blocks (/proc) is not full. It does not accept files at all.
    const { blocks, bavail, bsize } = statfsSync(folder)
    return blocks > 0 && bavail * bsize < MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** The retry delay for a locked database. HTTP callers receive it as Retry-After. */
const LOCKED_RETRY_MS = 5_000

/** Errors of creating the folder. */
const FOLDER_ERRORS = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT"]

const startsWithAny = (code: string, ...prefixes: string[]) => prefixes.some((p) => code.startsWith(p))

/** Converts an error of the driver or the file system to an AppError. Returns other errors unchanged. */
export const toDatabaseError = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  if (AppError.is(error) || code === undefined) return error
  const folder = dirname(path)
  const fail = (kind: "unavailable" | "storage_full", message: string, retry: "retry" | "never", retryInMs?: number) =>
    new AppError(kind, message, { cause: error, retry, ...(retryInMs !== undefined && { retryInMs }) })

  if (startsWithAny(code, "SQLITE_BUSY", "SQLITE_LOCKED"))
    return fail(
      "unavailable",
      `database is locked: another process has held ${path} for too long. Try again. If the error persists, stop that process.`,
      "retry",
      LOCKED_RETRY_MS,
    )
  const outOfSpace = startsWithAny(code, "SQLITE_FULL", "ENOSPC", "EDQUOT")
  if (outOfSpace || (startsWithAny(code, "SQLITE_IOERR", "SQLITE_CANTOPEN", "EIO") && isFull(folder)))
    return fail("storage_full", `The disk that holds ${path} is full. Free some space there, then try again.`, "retry")
  if (startsWithAny(code, "SQLITE_NOTADB", "SQLITE_CORRUPT"))
    return fail(
      "unavailable",
      `Couldn't read ${path}: it is damaged or not a database (${messageOf(error)}). Move it away or restore a backup, then start again. You can also set SERVICE_DB_PATH to another file.`,
      "never",
    )
  if (
    startsWithAny(
      code,
      "SQLITE_CANTOPEN",
      "SQLITE_READONLY",
      "SQLITE_PERM",
      "SQLITE_AUTH",
      "SQLITE_IOERR",
      ...FOLDER_ERRORS,
    )
  )
    return fail(
      "unavailable",
      `Couldn't open the database ${path} for writing (${messageOf(error)}). Give this user write permission for the folder ${folder}, or set SERVICE_DATA_DIR or SERVICE_DB_PATH to a writable location.`,
      "never",
    )
  return error
}
