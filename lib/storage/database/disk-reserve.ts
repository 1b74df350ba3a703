import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Enough for the journal pages of many small transactions. */
const RESERVE_BYTES = 2 ** 20
/** No reserve is created if less than this is free. */
const MIN_FREE_BYTES = 4 * RESERVE_BYTES

const reserveFile = (path: string): string => `${path}.reserve`

/**
 * Reserves some disk space while there is enough. On a full disk it is released, so that the small writes that fail a job
 * with its reason still succeed. The next start creates it again.
 * Writes zeros instead of a sparse file, because a sparse file allocates no blocks.
 */
export const ensureDiskReserve = (path: string): void => {
  if (existsSync(reserveFile(path))) return
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize >= MIN_FREE_BYTES) writeFileSync(reserveFile(path), Buffer.alloc(RESERVE_BYTES))
  } catch {
    // Earmark works without a reserve.
    rmSync(reserveFile(path), { force: true })
  }
}

/** Deletes the reserve. Returns false if there was none. */
export const releaseReserve = (path: string): boolean => {
  if (!existsSync(reserveFile(path))) return false
  rmSync(reserveFile(path), { force: true })
  return true
}
