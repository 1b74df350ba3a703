import { join } from "node:path"
import type { Database } from "better-sqlite3"
import pg from "pg"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { askPostgres } from "../../fixtures/postgres.ts"

/** The tables of a deployment, read with statements that both stores understand. */
export type Tables = {
  query<T>(sql: string): Promise<T[]>
  /** Returns the only value of the only row. */
  number(sql: string): Promise<number>
  /** The connection to SQLite. Null on PostgreSQL. */
  readonly sqlite: Database | null
  close(): Promise<void>
}

const withNumber = (tables: Omit<Tables, "number">): Tables => ({
  ...tables,
  number: async (sql) => Number(Object.values((await tables.query<Record<string, unknown>>(sql))[0]!)[0]),
})

export const openSqliteTables = (path: string): Tables => {
  const { raw, close } = openDatabase({ path, migrationsDir: join(packageRoot(), "drizzle") })
  return withNumber({
    query: async <T>(sql: string) => raw.prepare(sql).all() as T[],
    sqlite: raw,
    close: async () => close(),
  })
}

export const openPostgresTables = (url: string): Tables => {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // A scenario may stop the server while a connection is idle.
  pool.on("error", () => undefined)
  return withNumber({
    query: async <T>(sql: string) => (await pool.query(sql)).rows as T[],
    sqlite: null,
    close: () => pool.end(),
  })
}

/** Makes commits survive a killed server, which the server of the tests otherwise does not promise. */
export const keepCommits = async (url: string): Promise<void> => {
  await askPostgres(
    url,
    "do $$ begin execute format('alter database %I set synchronous_commit = on', current_database()); end $$",
  )
}
