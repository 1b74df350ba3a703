import { statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import { AppError } from "../../domain/errors.ts"
import { toStorageFullError } from "./bytes.ts"

/** Waits for a folder that is away; a job is not charged for them. */
const LATER_MS = 10_000

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

const away = (sentence: string, cause?: unknown): AppError =>
  new AppError("unavailable", sentence, { retry: "later", retryInMs: LATER_MS, ...(cause !== undefined && { cause }) })

/** What the file system's errors mean for a folder of blobs, with what to do; what is not expected here comes back as it is. */
export const folderError = (error: unknown, dir: string): unknown => {
  const code = codeOf(error)
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return away(`${dir}, in which recordings lie, is not there: mount it again, or correct SERVICE_BLOB_URL`, error)
    case "EIO":
    case "ESTALE":
    case "ENOTCONN":
    case "ENODEV":
    case "EHOSTDOWN":
      return away(`${dir}, in which recordings lie, does not answer (${code}): mount it again`, error)
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new AppError(
        "unavailable",
        `${dir} cannot be written to (${code}): mount it for writing and chown it to the user of this service (a unit of systemd must name it in ReadWritePaths=), or set SERVICE_BLOB_URL`,
        { cause: error, retry: "retry" },
      )
    default:
      return toStorageFullError(error, "send it again")
  }
}

const devicesAbove = (dir: string): number[] => {
  const above = dirname(dir)
  return [statSync(above).dev, ...(above === dir ? [] : devicesAbove(above))]
}

/**
 * Looks whether a folder is the one that was there at the start. Where a share was unmounted, one that lies under its
 * mount point may appear in its stead: it is told by the disk it lies on, which is one that was above it. A share that
 * is mounted anew may come as another device, which was not.
 * @throws AppError `unavailable`, `later`, from what is returned; the file system's error where it is not there now
 */
export const createMountCheck = (dir: string): (() => Promise<void>) => {
  const { dev } = statSync(dir)
  const above = new Set(devicesAbove(dir))
  return async () => {
    const found = await stat(dir).catch((error: unknown) => {
      throw folderError(error, dir)
    })
    if (found.dev !== dev && above.has(found.dev))
      throw away(`${dir} is not the folder that it was: what was mounted there is gone; mount it again`)
  }
}
