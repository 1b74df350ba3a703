import { statSync } from "node:fs"
import Driver, { type Database } from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"

/** Drizzle's table of applied migrations. */
export const MIGRATIONS_TABLE = "__drizzle_migrations"
/** Tables that every version of Earmark has. Other programs use drizzle too, so its table alone proves nothing. */
const TABLES = [MIGRATIONS_TABLE, "clips", "jobs", "job_stages", "topics"]

export const foreignDatabaseError = (path: string) =>
  new AppError(
    "unavailable",
    `Couldn't open ${path}: the database belongs to another program. Set SERVICE_DB_PATH to another file. Earmark creates it if it does not exist.`,
  )

const queryNumber = (raw: Database, sql: string): number => raw.prepare(sql).pluck().get() as number

const isNew = (raw: Database): boolean =>
  queryNumber(raw, "select count(*) from sqlite_master") === 0 && raw.pragma("application_id", { simple: true }) === 0

/** Returns true if the database is not empty and lacks Earmark's tables. */
export const isForeignDatabase = (raw: Database): boolean => {
  if (isNew(raw)) return false
  const names = TABLES.map((name) => `'${name}'`).join(", ")
  return (
    queryNumber(raw, `select count(*) from sqlite_master where type = 'table' and name in (${names})`) < TABLES.length
  )
}

/**
 * Checks through a read-only connection that a file is Earmark's database, because a mistyped path may name any file.
 * A missing file, an empty file and a database without tables are accepted.
 * @returns true if Earmark's database already exists
 * @throws AppError `unavailable` for a database of another program; the driver's error for a file that is not a database
 */
export const assertOwnDatabase = (path: string, busyTimeoutMs: number): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return false
  // Opening a pipe would block.
  if (!stat.isFile()) throw Object.assign(new Error("not a regular file"), { code: "SQLITE_CANTOPEN" })
  if (stat.size === 0) return false
  const raw = new Driver(path, { readonly: true, timeout: busyTimeoutMs })
  try {
    if (isForeignDatabase(raw)) throw foreignDatabaseError(path)
    return !isNew(raw)
  } finally {
    raw.close()
  }
}
