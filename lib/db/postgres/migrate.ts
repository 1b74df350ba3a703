import { readMigrationFiles } from "drizzle-orm/migrator"
import type { PoolClient } from "pg"
import { AppError } from "../../errors.ts"

const TABLE = "__drizzle_migrations"
/** The name of the lock under which one process migrates and the others wait. */
const LOCK = "8370419246114417"

const problem = (place: string, sentence: string) =>
  new AppError("unavailable", `The PostgreSQL database ${place} ${sentence}`)

const has = async (client: PoolClient, sql: string): Promise<boolean> =>
  ((await client.query(sql)).rows[0] as { found: boolean }).found

/** The moment of the last step that was applied, and how many there are; 0 for a new database. */
const applied = async (client: PoolClient, place: string): Promise<{ last: number; count: number }> => {
  if (await has(client, `select to_regclass('${TABLE}') is not null as found`)) {
    const { rows } = await client.query(
      `select coalesce(max(created_at), 0)::float8 as last, count(*)::int as count from ${TABLE}`,
    )
    return rows[0] as { last: number; count: number }
  }
  if (await has(client, "select to_regclass('clips') is not null or to_regclass('jobs') is not null as found"))
    throw problem(place, "holds tables of another program. Name another database in SERVICE_DATABASE_URL.")
  return { last: 0, count: 0 }
}

/**
 * Brings the schema up to date in one transaction: of many processes that start at once, one migrates and the others
 * wait for it. The record is drizzle's own table, so that its tools can read it.
 * What fails is rolled back by whoever lent the connection.
 * @throws AppError `unavailable` when the schema is newer than this program, or not Earmark's.
 */
export const migrate = async (client: PoolClient, place: string, migrationsDir: string): Promise<void> => {
  const steps = readMigrationFiles({ migrationsFolder: migrationsDir })
  await client.query("begin")
  await client.query(`select pg_advisory_xact_lock(${LOCK})`)
  const { last, count } = await applied(client, place)
  if (last > (steps.at(-1)?.folderMillis ?? 0))
    throw problem(
      place,
      `was written by a newer version of Earmark (its schema has ${count} steps, this program knows ${steps.length}). Install the newer version, or name another database.`,
    )
  await client.query(
    `create table if not exists ${TABLE} (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const step of steps.filter((s) => s.folderMillis > last)) {
    for (const statement of step.sql) await client.query(statement)
    await client.query(`insert into ${TABLE} (hash, created_at) values ($1, $2)`, [step.hash, step.folderMillis])
  }
  await client.query("commit")
}
