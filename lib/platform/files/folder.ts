import { existsSync, mkdirSync, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** The nearest folder that exists, from `dir` upwards. */
export const nearestFolder = (dir: string): string =>
  existsSync(dir) || dir === dirname(dir) ? dir : nearestFolder(dirname(dir))

/**
 * Makes a folder and those above it, for this user alone. Not by mkdir's own `recursive`, which on Node 20 never returns
 * where the file system takes no folders (/proc). Throws the file system's error.
 */
export const makeFolder = (dir: string): void => {
  if (existsSync(dir)) return
  makeFolder(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Bytes that this user may still write where `dir` is or would be; null where no files can be made at all. */
export const freeBytes = (dir: string): number | null => {
  const { blocks, bavail, bsize } = statfsSync(nearestFolder(dir))
  return blocks === 0 ? null : bavail * bsize
}
