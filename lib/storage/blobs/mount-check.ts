import { statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import { AppError } from "../../domain/errors.ts"
import { toStorageFullError } from "./bytes.ts"

/** The retry delay for an unavailable folder. These retries do not use an attempt of the job. */
const RETRY_LATER_MS = 10_000

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

const folderUnavailable = (message: string, cause?: unknown): AppError =>
  new AppError("unavailable", message, {
    retry: "later",
    retryInMs: RETRY_LATER_MS,
    ...(cause !== undefined && { cause }),
  })

/** Converts a file system error of the folder to an AppError. Returns other errors unchanged. */
export const toFolderError = (error: unknown, dir: string): unknown => {
  const code = codeOf(error)
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return folderUnavailable(
        `Couldn't open the recordings folder ${dir}: it does not exist. Mount it again, or correct SERVICE_BLOB_URL.`,
        error,
      )
    case "EIO":
    case "ESTALE":
    case "ENOTCONN":
    case "ENODEV":
    case "EHOSTDOWN":
      return folderUnavailable(
        `Couldn't read the recordings folder ${dir}: it does not answer (${code}). Mount it again.`,
        error,
      )
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new AppError(
        "unavailable",
        `Couldn't write to ${dir} (${code}). Mount it writable and chown it to the user of this service (with systemd, add it to ReadWritePaths=), or set SERVICE_BLOB_URL.`,
        { cause: error, retry: "retry" },
      )
    default:
      return toStorageFullError(error, "upload the file again")
  }
}

const deviceIdsOfAncestors = (dir: string): number[] => {
  const above = dirname(dir)
  return [statSync(above).dev, ...(above === dir ? [] : deviceIdsOfAncestors(above))]
}

/**
 * Returns a function that throws if a mounted share has disappeared. After an unmount, a folder of the same name under the
 * mount point may become visible. It is on the disk of one of its ancestors, which identifies it. The device of a share that
 * is mounted again may differ, but is not that of an ancestor.
 * @throws the file system's error if the folder does not exist; the function throws AppError `unavailable` (`later`)
 */
export const createMountCheck = (dir: string): (() => Promise<void>) => {
  const { dev } = statSync(dir)
  const ancestorIds = new Set(deviceIdsOfAncestors(dir))
  return async () => {
    const found = await stat(dir).catch((error: unknown) => {
      throw toFolderError(error, dir)
    })
    if (found.dev !== dev && ancestorIds.has(found.dev))
      throw folderUnavailable(`Couldn't use ${dir}: the share that was mounted there is gone. Mount it again.`)
  }
}
