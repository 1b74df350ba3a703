import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { backUp } from "./backup.ts"
import { toDatabaseError } from "./errors.ts"
import { pendingMigrations } from "./migrate.ts"
import { createHandle, type DatabaseHandle, openDatabase } from "./open.ts"
import { assertOwnDatabase } from "./owner.ts"

const BUSY_TIMEOUT_MS = 8_000

/** Copies the database to a temporary folder and migrates the copy. `close` deletes the folder. */
const openMigratedCopy = async (source: DatabaseHandle, migrationsDir: string): Promise<DatabaseHandle> => {
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
 * Opens a database for reading only. If its schema is older, opens a migrated copy instead.
 * @throws AppError `invalid` for an empty file; `unavailable` for a database that is newer, damaged, locked or of another
 * program; `storage_full` if a copy does not fit
 */
export const openSource = async (path: string, migrationsDir: string): Promise<DatabaseHandle> => {
  let raw: Driver.Database | undefined
  try {
    if (!assertOwnDatabase(path, BUSY_TIMEOUT_MS))
      throw new AppError("invalid", `Couldn't read ${path}: it is empty. Choose the file of an Earmark database.`)
    raw = new Driver(path, { readonly: true, timeout: BUSY_TIMEOUT_MS })
    const source = createHandle(path, raw, BUSY_TIMEOUT_MS)
    if (pendingMigrations(raw, path, migrationsDir).length === 0) return source
    const copy = await openMigratedCopy(source, migrationsDir)
    raw.close()
    return copy
  } catch (error) {
    raw?.close()
    throw toDatabaseError(error, path)
  }
}
