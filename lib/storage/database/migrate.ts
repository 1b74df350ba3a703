import type { Database } from "better-sqlite3"
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator"
import { AppError } from "../../domain/errors.ts"
import { foreign, isForeignDatabase, RECORD as TABLE } from "./owner.ts"

const newer = (path: string, found: number, known: number) =>
  new AppError(
    "unavailable",
    `The database ${path} was written by a newer version of Earmark (its schema has ${found} steps, this program knows ${known}). ` +
      "Install the newer version, or point SERVICE_DB_PATH at another file.",
  )

/** The moments of the steps that were applied, oldest first; empty for a new database. */
const applied = (raw: Database, path: string): number[] => {
  if (isForeignDatabase(raw)) throw foreign(path)
  const begun = raw.prepare(`select count(*) from sqlite_master where name = '${TABLE}'`).pluck().get() as number
  if (begun === 0) return []
  return raw.prepare(`select created_at from ${TABLE} order by created_at`).pluck().all().map(Number)
}

/**
 * The steps that a database still lacks; changes nothing.
 * @throws AppError `unavailable` when the schema is newer than this program, or not Earmark's.
 */
export const pendingMigrations = (raw: Database, path: string, migrationsDir: string): MigrationMeta[] => {
  const steps = readMigrationFiles({ migrationsFolder: migrationsDir })
  const done = applied(raw, path)
  const last = done.at(-1) ?? 0
  if (last > (steps.at(-1)?.folderMillis ?? 0)) throw newer(path, done.length, steps.length)
  return steps.filter((s) => s.folderMillis > last)
}

/**
 * Brings the schema up to date, in one IMMEDIATE transaction: of many processes that start at once, one migrates and
 * the others find it done. The record is drizzle's own table, so that its tools can read it.
 * @throws AppError `unavailable` when the schema is newer than this program, or not Earmark's.
 */
export const migrate = (raw: Database, path: string, migrationsDir: string): void => {
  const check = () => pendingMigrations(raw, path, migrationsDir)
  // The usual start needs no write lock.
  if (check().length === 0) return

  // A step that rebuilds a table drops the old one; with foreign keys on, its children would go too.
  raw.pragma("foreign_keys = OFF")
  try {
    raw
      .transaction(() => {
        const todo = check()
        raw.exec(`create table if not exists ${TABLE} (id integer primary key, hash text not null, created_at numeric)`)
        const record = raw.prepare(`insert into ${TABLE} (hash, created_at) values (?, ?)`)
        for (const step of todo) {
          for (const statement of step.sql) raw.exec(statement)
          record.run(step.hash, step.folderMillis)
        }
        const broken = raw.pragma("foreign_key_check") as unknown[]
        if (broken.length > 0)
          throw new Error(`${broken.length} rows of ${path} would point nowhere after the migration: it was taken back`)
      })
      .immediate()
  } finally {
    raw.pragma("foreign_keys = ON")
  }
}
