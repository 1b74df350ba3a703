import { chmodSync, existsSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import Driver from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { databaseError } from "./errors.ts"
import type { DatabaseHandle } from "./open.ts"

/** In one step: what is copied in several begins anew whenever another process writes meanwhile, which may never end. */
const ALL_PAGES = 0x7fffffff

const pagesOf = (path: string): number => {
  const copy = new Driver(path, { readonly: true })
  try {
    const found = copy.pragma("integrity_check", { simple: true })
    if (found !== "ok")
      throw new AppError("unavailable", `The backup is damaged (${String(found)}). Look at the disk, then try again.`)
    return copy.pragma("page_count", { simple: true }) as number
  } finally {
    copy.close()
  }
}

/**
 * Copies the database as it is at one moment, while others read and write, and looks whether the copy is whole. It
 * appears under its name only then.
 * @returns its pages
 * @throws AppError `conflict` when there is such a file, `not_found` without its folder, `storage_full`, `unavailable`
 */
export const backUp = async ({ raw }: DatabaseHandle, to: string): Promise<number> => {
  if (existsSync(to)) throw new AppError("conflict", `There is a file ${to} already. Name another.`)
  if (!existsSync(dirname(to))) throw new AppError("not_found", `There is no folder ${dirname(to)}. Make it first.`)
  const part = `${to}.part`
  try {
    rmSync(part, { force: true })
    await raw.backup(part, { progress: () => ALL_PAGES })
    chmodSync(part, 0o600)
    const pages = pagesOf(part)
    renameSync(part, to)
    return pages
  } catch (error) {
    throw databaseError(error, dirname(to))
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${part}${end}`, { force: true })
  }
}
