import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readMigrationFiles } from "drizzle-orm/migrator"
import type { PoolClient } from "pg"
import { AppError } from "../../../domain/errors.ts"

const MIGRATIONS_TABLE = "__drizzle_migrations"
/** The key of the advisory lock that lets one process migrate while others wait. */
const LOCK_KEY = "8370419246114417"

/** Creating an index on millions of rows can take long, and waiting for another process's migration too. */
const MIGRATION_TIMEOUT_MS = 3_600_000

const schemaError = (location: string, problem: string) =>
  new AppError("unavailable", `Couldn't open the PostgreSQL database ${location}: ${problem}`)

const isFound = async (client: PoolClient, sql: string): Promise<boolean> =>
  ((await client.query(sql)).rows[0] as { found: boolean }).found

const READABLE_FROM_COUNTER = "schema_readable_from"

/**
 * Returns the timestamp of the oldest migration that a version of Earmark must have to work with this schema. Its name is
 * in readable-from.txt. A migration that only adds to the schema does not change it, so that processes of the previous
 * version keep working and can restart while hosts are upgraded one by one.
 */
const readRequiredMigration = (migrationsDir: string): number => {
  const tag = readFileSync(join(migrationsDir, "readable-from.txt"), "utf8").trim()
  const journal = JSON.parse(readFileSync(join(migrationsDir, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[]
  }
  const migration = journal.entries.find((entry) => entry.tag === tag)
  if (!migration) throw new Error(`readable-from.txt names '${tag}', which is not a migration`)
  return migration.when
}

/** Returns the value of `readRequiredMigration` that the newest version stored in the database. */
const loadRequiredMigration = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query("select value::float8 as value from counters where name = $1", [
    READABLE_FROM_COUNTER,
  ])
  return (rows[0] as { value: number } | undefined)?.value ?? Number.POSITIVE_INFINITY
}

/** Returns the timestamp of the last applied migration and their number. Both are 0 for a new database. */
const appliedMigrations = async (client: PoolClient, location: string): Promise<{ last: number; count: number }> => {
  if (await isFound(client, `select to_regclass('${MIGRATIONS_TABLE}') is not null as found`)) {
    const { rows } = await client.query(
      `select coalesce(max(created_at), 0)::float8 as last, count(*)::int as count from ${MIGRATIONS_TABLE}`,
    )
    return rows[0] as { last: number; count: number }
  }
  if (await isFound(client, "select to_regclass('clips') is not null or to_regclass('jobs') is not null as found"))
    throw schemaError(location, "it contains tables of another program. Set SERVICE_DATABASE_URL to another database.")
  return { last: 0, count: 0 }
}

/**
 * Applies pending migrations in one transaction. If several processes start concurrently, one migrates and the others wait
 * for it. Applied migrations are recorded in drizzle's table, so that its tools can read them. The caller rolls back if
 * this throws.
 * @throws AppError `unavailable` if the schema is too new for this version, or not Earmark's
 */
export const migrate = async (client: PoolClient, location: string, migrationsDir: string): Promise<void> => {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsDir })
  await client.query("begin")
  const execute = (text: string) => client.query({ text, query_timeout: MIGRATION_TIMEOUT_MS } as { text: string })
  await execute(`select pg_advisory_xact_lock(${LOCK_KEY})`)
  const { last, count } = await appliedMigrations(client, location)
  const newest = migrations.at(-1)?.folderMillis ?? 0
  if (last > newest && newest < (await loadRequiredMigration(client)))
    throw schemaError(
      location,
      `a newer version of Earmark wrote it (its schema has ${count} migrations, this version has ${migrations.length}). Install the newer version, or use another database.`,
    )
  await client.query(
    `create table if not exists ${MIGRATIONS_TABLE} (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const migration of migrations.filter((m) => m.folderMillis > last)) {
    for (const statement of migration.sql) await execute(statement)
    await client.query(`insert into ${MIGRATIONS_TABLE} (hash, created_at) values ($1, $2)`, [
      migration.hash,
      migration.folderMillis,
    ])
  }
  if (last < newest)
    await client.query(
      "insert into counters (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
      [READABLE_FROM_COUNTER, readRequiredMigration(migrationsDir)],
    )
  await client.query("commit")
}
