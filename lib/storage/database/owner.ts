import { statSync } from "node:fs"
import Driver, { type Database } from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"

/** The record of the migrations: drizzle's own table. */
export const RECORD = "__drizzle_migrations"
/** What has stood in every schema of Earmark. Other programs keep their migrations with drizzle too. */
const TABLES = [RECORD, "clips", "jobs", "job_stages", "topics"]

export const foreign = (path: string) =>
  new AppError(
    "unavailable",
    `The database ${path} belongs to another program. Point SERVICE_DB_PATH at another file; Earmark makes it when it does not exist.`,
  )

const value = (raw: Database, sql: string): number => raw.prepare(sql).pluck().get() as number

const isNew = (raw: Database): boolean =>
  value(raw, "select count(*) from sqlite_master") === 0 && raw.pragma("application_id", { simple: true }) === 0

/** Whether a database holds something, and not what Earmark makes. */
export const isForeignDatabase = (raw: Database): boolean => {
  if (isNew(raw)) return false
  const names = TABLES.map((name) => `'${name}'`).join(", ")
  return value(raw, `select count(*) from sqlite_master where type = 'table' and name in (${names})`) < TABLES.length
}

/**
 * Looks whose a file is, through a connection that cannot write, before anything about it is changed: a name that was
 * mistyped may be any file of this machine. None, an empty one and a database without tables may become Earmark's.
 * @returns whether there is a database of Earmark already
 * @throws AppError `unavailable` when it is another program's; the driver's error when it is no database
 */
export const assertOwnDatabase = (path: string, busyTimeoutMs: number): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return false
  // A pipe would be waited for.
  if (!stat.isFile()) throw Object.assign(new Error("it is no file"), { code: "SQLITE_CANTOPEN" })
  if (stat.size === 0) return false
  const raw = new Driver(path, { readonly: true, timeout: busyTimeoutMs })
  try {
    if (isForeignDatabase(raw)) throw foreign(path)
    return !isNew(raw)
  } finally {
    raw.close()
  }
}
