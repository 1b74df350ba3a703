import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"

/** Below this many bytes free, a failed write or a file that cannot be made is the full disk's doing. */
const FULL_BELOW_BYTES = 2 ** 20

/** The extended result code of a driver error, also under a wrapper of the query builder; else undefined. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === "string" ? code : codeOf(cause)
}

const isFull = (folder: string): boolean => {
  try {
    // A file system that counts no blocks at all (/proc) is not full: it takes no files.
    const { blocks, bavail, bsize } = statfsSync(folder)
    return blocks > 0 && bavail * bsize < FULL_BELOW_BYTES
  } catch {
    return false
  }
}

/** When to come back to a database that another process holds; callers over HTTP are told as Retry-After. */
const LOCKED_AGAIN_MS = 5_000

/** What making the folder says when it may not or cannot. */
const REFUSED = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT"]

const starts = (code: string, ...prefixes: string[]) => prefixes.some((p) => code.startsWith(p))

/** Turns what the driver or the file system threw about the database at `path` into a sentence. Others come back as they are. */
export const databaseError = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  if (AppError.is(error) || code === undefined) return error
  const folder = dirname(path)
  const fail = (kind: "unavailable" | "storage_full", sentence: string, retry: "retry" | "never", retryInMs?: number) =>
    new AppError(kind, sentence, { cause: error, retry, ...(retryInMs !== undefined && { retryInMs }) })

  if (starts(code, "SQLITE_BUSY", "SQLITE_LOCKED"))
    return fail(
      "unavailable",
      `database is locked: another process has held ${path} for too long. Try again; if it stays so, end the process that holds it.`,
      "retry",
      LOCKED_AGAIN_MS,
    )
  const outOfSpace = starts(code, "SQLITE_FULL", "ENOSPC", "EDQUOT")
  if (outOfSpace || (starts(code, "SQLITE_IOERR", "SQLITE_CANTOPEN", "EIO") && isFull(folder)))
    return fail("storage_full", `The disk that holds ${path} is full. Free some space there, then try again.`, "retry")
  if (starts(code, "SQLITE_NOTADB", "SQLITE_CORRUPT"))
    return fail(
      "unavailable",
      `${path} is damaged or no database (${messageOf(error)}). Move it away or restore a backup, then start again; or point SERVICE_DB_PATH at another file.`,
      "never",
    )
  if (starts(code, "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH", "SQLITE_IOERR", ...REFUSED))
    return fail(
      "unavailable",
      `The database ${path} cannot be opened for writing (${messageOf(error)}). Let this user write to the folder ${folder}, or set SERVICE_DATA_DIR or SERVICE_DB_PATH to a place that it may write to.`,
      "never",
    )
  return error
}
