import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Enough for the journal pages of many small transactions. */
const RESERVE_BYTES = 2 ** 20
/** A disk with less than this free is not filled further. */
const WORTH_IT_BYTES = 4 * RESERVE_BYTES

const fileOf = (path: string): string => `${path}.reserve`

/**
 * Sets some of the disk aside while there is plenty, so that on a full one the small writes still fit that end a job with
 * its reason; it comes back at the next start.
 * Zeros written out, not a sparse file: the blocks must be taken. A disk that is short already gets none.
 */
export const ensureDiskReserve = (path: string): void => {
  if (existsSync(fileOf(path))) return
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize >= WORTH_IT_BYTES) writeFileSync(fileOf(path), Buffer.alloc(RESERVE_BYTES))
  } catch {
    // A reserve that cannot be made is no reason not to work.
    rmSync(fileOf(path), { force: true })
  }
}

/** Gives the reserve up. @returns whether there was one */
export const releaseReserve = (path: string): boolean => {
  if (!existsSync(fileOf(path))) return false
  rmSync(fileOf(path), { force: true })
  return true
}
