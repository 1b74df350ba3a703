import { existsSync, mkdirSync, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** Returns the nearest existing folder, from `dir` upwards. */
export const nearestFolder = (dir: string): string =>
  existsSync(dir) || dir === dirname(dir) ? dir : nearestFolder(dirname(dir))

/**
 * Creates a folder and its parents, with access for this user only. Does not use the `recursive` option of mkdir, which hangs on
 * Node 20 if the file system allows no folders (/proc).
 * @throws the error of the file system
 */
export const makeFolder = (dir: string): void => {
  if (existsSync(dir)) return
  makeFolder(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Returns the free bytes at the location of `dir`, or null if no files can be created there. */
export const freeBytes = (dir: string): number | null => {
  const { blocks, bavail, bsize } = statfsSync(nearestFolder(dir))
  return blocks === 0 ? null : bavail * bsize
}
