import type { Database } from "better-sqlite3"
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator"
import { AppError } from "../../domain/errors.ts"
import { foreignDatabaseError, isForeignDatabase, MIGRATIONS_TABLE } from "./owner.ts"

const newerSchemaError = (path: string, found: number, known: number) =>
  new AppError(
    "unavailable",
    `Couldn't open ${path}: a newer version of Earmark wrote it (its schema has ${found} migrations, this version has ${known}). ` +
      "Install the newer version, or set SERVICE_DB_PATH to another file.",
  )

/** Returns the timestamps of the applied migrations, oldest first. */
const appliedMigrations = (raw: Database, path: string): number[] => {
  if (isForeignDatabase(raw)) throw foreignDatabaseError(path)
  const tableCount = raw
    .prepare(`select count(*) from sqlite_master where name = '${MIGRATIONS_TABLE}'`)
    .pluck()
    .get() as number
  if (tableCount === 0) return []
  return raw.prepare(`select created_at from ${MIGRATIONS_TABLE} order by created_at`).pluck().all().map(Number)
}

/**
 * Returns the migrations that are not applied yet. Does not write.
 * @throws AppError `unavailable` if the schema is newer than this version, or not Earmark's
 */
export const pendingMigrations = (raw: Database, path: string, migrationsDir: string): MigrationMeta[] => {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsDir })
  const applied = appliedMigrations(raw, path)
  const last = applied.at(-1) ?? 0
  if (last > (migrations.at(-1)?.folderMillis ?? 0)) throw newerSchemaError(path, applied.length, migrations.length)
  return migrations.filter((m) => m.folderMillis > last)
}

/**
 * Applies pending migrations in one IMMEDIATE transaction. If several processes start concurrently, one migrates and the
 * others find nothing to do. Applied migrations are recorded in drizzle's table, so that its tools can read them.
 * @throws AppError `unavailable` if the schema is newer than this version, or not Earmark's
 */
export const migrate = (raw: Database, path: string, migrationsDir: string): void => {
  const findPending = () => pendingMigrations(raw, path, migrationsDir)
  // Most starts need no write lock.
  if (findPending().length === 0) return

  // A migration that rebuilds a table drops the old one. With foreign keys on, this would delete the rows that refer to it.
  raw.pragma("foreign_keys = OFF")
  try {
    raw
      .transaction(() => {
        const pending = findPending()
        raw.exec(
          `create table if not exists ${MIGRATIONS_TABLE} (id integer primary key, hash text not null, created_at numeric)`,
        )
        const record = raw.prepare(`insert into ${MIGRATIONS_TABLE} (hash, created_at) values (?, ?)`)
        for (const migration of pending) {
          for (const statement of migration.sql) raw.exec(statement)
          record.run(migration.hash, migration.folderMillis)
        }
        const broken = raw.pragma("foreign_key_check") as unknown[]
        if (broken.length > 0)
          throw new Error(`Rolled back the migration of ${path}: it would break ${broken.length} foreign keys`)
      })
      .immediate()
  } finally {
    raw.pragma("foreign_keys = ON")
  }
}
