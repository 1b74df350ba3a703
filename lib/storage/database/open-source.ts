import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { backUp } from "./backup.ts"
import { databaseError } from "./errors.ts"
import { pendingMigrations } from "./migrate.ts"
import { type DatabaseHandle, handleOf, openDatabase } from "./open.ts"
import { assertOwnDatabase } from "./owner.ts"

const BUSY_MS = 8_000

/** A copy of its own in a folder of its own, brought up to date; the folder goes when it is closed. */
const upToDateCopy = async (source: DatabaseHandle, migrationsDir: string): Promise<DatabaseHandle> => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-source-"))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  try {
    const path = join(dir, "earmark.db")
    await backUp(source, path)
    const copy = openDatabase({ path, migrationsDir })
    return {
      ...copy,
      close: () => {
        copy.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Opens a database to be read and never written to; of one with an older schema a copy is made and brought up to date.
 * @throws AppError `invalid` when it is no database of Earmark; `unavailable` when it is newer, damaged, locked or another
 * program's; `storage_full` when a copy does not fit
 */
export const openSource = async (path: string, migrationsDir: string): Promise<DatabaseHandle> => {
  let raw: Driver.Database | undefined
  try {
    if (!assertOwnDatabase(path, BUSY_MS)) throw new AppError("invalid", `${path} is empty: it is no store of Earmark.`)
    raw = new Driver(path, { readonly: true, timeout: BUSY_MS })
    const source = handleOf(path, raw, BUSY_MS)
    if (pendingMigrations(raw, path, migrationsDir).length === 0) return source
    const copy = await upToDateCopy(source, migrationsDir)
    raw.close()
    return copy
  } catch (error) {
    raw?.close()
    throw databaseError(error, path)
  }
}
