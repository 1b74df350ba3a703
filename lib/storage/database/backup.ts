import { chmodSync, existsSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import Driver from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { toDatabaseError } from "./errors.ts"
import type { DatabaseHandle } from "./open.ts"

/** Copies in one step. A copy in several steps restarts whenever another process writes, and might never finish. */
const ALL_PAGES = 0x7fffffff

/** Checks the integrity of a copy and returns its number of pages. */
const checkCopy = (path: string): number => {
  const copy = new Driver(path, { readonly: true })
  try {
    const report = copy.pragma("integrity_check", { simple: true })
    if (report !== "ok")
      throw new AppError(
        "unavailable",
        `The backup failed its integrity check (${String(report)}). Check the disk, then try again.`,
      )
    return copy.pragma("page_count", { simple: true }) as number
  } finally {
    copy.close()
  }
}

/**
 * Copies a consistent snapshot of the database while other processes read and write. The file gets its name only after
 * its integrity check.
 * @returns the number of pages
 * @throws AppError `conflict` if the file exists, `not_found` if its folder does not, `storage_full`, `unavailable`
 */
export const backUp = async ({ raw }: DatabaseHandle, to: string): Promise<number> => {
  if (existsSync(to))
    throw new AppError("conflict", `Couldn't write ${to}: the file already exists. Choose another name.`)
  if (!existsSync(dirname(to)))
    throw new AppError("not_found", `Couldn't write ${to}: the folder ${dirname(to)} does not exist. Create it first.`)
  const part = `${to}.part`
  try {
    rmSync(part, { force: true })
    await raw.backup(part, { progress: () => ALL_PAGES })
    chmodSync(part, 0o600)
    const pages = checkCopy(part)
    renameSync(part, to)
    return pages
  } catch (error) {
    throw toDatabaseError(error, dirname(to))
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${part}${suffix}`, { force: true })
  }
}
