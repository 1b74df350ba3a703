import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readMigrationFiles } from "drizzle-orm/migrator"
import type { PoolClient } from "pg"
import { AppError } from "../../../domain/errors.ts"

const TABLE = "__drizzle_migrations"
/** The name of the lock under which one process migrates and the others wait. */
const LOCK = "8370419246114417"

/** An index over millions of rows takes its time to be made, and whoever waits for that waits as long. */
const LONG_MS = 3_600_000

const problem = (place: string, sentence: string) =>
  new AppError("unavailable", `The PostgreSQL database ${place} ${sentence}`)

const has = async (client: PoolClient, sql: string): Promise<boolean> =>
  ((await client.query(sql)).rows[0] as { found: boolean }).found

const COUNTER = "schema_readable_from"

/**
 * The step that a program must know at least to work on the schema as these steps make it, by its moment; its name
 * stands in readable-from.txt. What a step only adds leaves that as it is, so that processes of the version before go
 * on, and may start anew, while hosts are upgraded one by one.
 */
const leastStep = (migrationsDir: string): number => {
  const tag = readFileSync(join(migrationsDir, "readable-from.txt"), "utf8").trim()
  const journal = JSON.parse(readFileSync(join(migrationsDir, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[]
  }
  const step = journal.entries.find((entry) => entry.tag === tag)
  if (!step) throw new Error(`readable-from.txt names '${tag}', which is no step`)
  return step.when
}

/** @returns the same, as the newest program that was here has written it down */
const readableFrom = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query("select value::float8 as value from counters where name = $1", [COUNTER])
  return (rows[0] as { value: number } | undefined)?.value ?? Number.POSITIVE_INFINITY
}

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
 * @throws AppError `unavailable` when the schema is too new for this program, or not Earmark's.
 */
export const migrate = async (client: PoolClient, place: string, migrationsDir: string): Promise<void> => {
  const steps = readMigrationFiles({ migrationsFolder: migrationsDir })
  await client.query("begin")
  const ask = (text: string) => client.query({ text, query_timeout: LONG_MS } as { text: string })
  await ask(`select pg_advisory_xact_lock(${LOCK})`)
  const { last, count } = await applied(client, place)
  const own = steps.at(-1)?.folderMillis ?? 0
  if (last > own && own < (await readableFrom(client)))
    throw problem(
      place,
      `was written by a newer version of Earmark (its schema has ${count} steps, this program knows ${steps.length}). Install the newer version, or name another database.`,
    )
  await client.query(
    `create table if not exists ${TABLE} (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const step of steps.filter((s) => s.folderMillis > last)) {
    for (const statement of step.sql) await ask(statement)
    await client.query(`insert into ${TABLE} (hash, created_at) values ($1, $2)`, [step.hash, step.folderMillis])
  }
  if (last < own)
    await client.query(
      "insert into counters (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
      [COUNTER, leastStep(migrationsDir)],
    )
  await client.query("commit")
}
