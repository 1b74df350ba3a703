import { drizzle } from "drizzle-orm/node-postgres"
import type { PgTable } from "drizzle-orm/pg-core"
import { AppError } from "../../../domain/errors.ts"
import { sha256 } from "../../../domain/ids.ts"
import { codeOf } from "../../database/errors.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { postgresError } from "../../database/postgres/errors.ts"
import { type PostgresHandle, COPY_PROGRESS as PROGRESS, withClient } from "../../database/postgres/open.ts"
import { RowChecksum, readSource, readTarget } from "./rows.ts"
import { type CopiedTable, copiedTables } from "./tables.ts"

export type CopyProgress = { readonly table: string; readonly done: number; readonly total: number }
export type CopiedCount = { readonly table: string; readonly rows: number; readonly checksum: string }

type Copying = {
  readonly from: DatabaseHandle
  readonly to: PostgresHandle
  readonly onProgress: (progress: CopyProgress) => void
}

/** Of a copy that was killed the server knows only after a moment. */
const LOCK_WAIT = "5s"
const LOCK = "8370419246114418"

/** Two copies into one database would each count what the other wrote. */
const alone = <T>({ to }: Copying, work: () => Promise<T>): Promise<T> =>
  withClient(to.pool, async (client) => {
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`)
    await client.query(`select pg_advisory_lock(${LOCK})`).catch((error: unknown) => {
      if (codeOf(error) !== "55P03") throw error
      throw new AppError("conflict", `Another 'earmark store copy' writes into ${to.place}. Wait for it, or end it.`)
    })
    try {
      return await work()
    } finally {
      await client.query(`reset lock_timeout; select pg_advisory_unlock(${LOCK})`).catch(() => undefined)
    }
  })

/** Tells one source from another by the first of what it holds, which stays when more is added. */
const sourceName = ({ from }: Copying): string => {
  const first = ["clips", "jobs", "documents"].map((name) =>
    from.raw.prepare(`select id from "${name}" order by rowid limit 1`).pluck().get(),
  )
  return `source ${sha256(JSON.stringify(first))}`
}

/** How far each table is, in the target and in the transaction of its rows: a copy that was killed goes on from there. */
const begin = (c: Copying): Promise<Map<string, { last: number; done: number }>> =>
  withClient(c.to.pool, async (client) => {
    const { to } = c
    const { rows: there } = await client.query(`select to_regclass('${PROGRESS}') is not null as begun,
      exists (select 1 from clips) or exists (select 1 from jobs) or exists (select 1 from documents) as filled`)
    const { begun, filled } = there[0] as { begun: boolean; filled: boolean }
    if (filled && !begun)
      throw new AppError(
        "conflict",
        `The database ${to.place} holds clips, jobs or documents already: a copy that has ended, or something else. Start the service on it, or copy into an empty one: createdb, then --to its address.`,
      )
    const source = sourceName(c)
    if (!begun) {
      await client.query("begin")
      await client.query(`create table ${PROGRESS} (name text primary key, last bigint not null, done bigint not null)`)
      await client.query(`insert into ${PROGRESS} (name, last, done) values ($1, -1, 0)`, [source])
      await client.query("commit")
    }
    const { rows } = await client.query(`select name, last, done from ${PROGRESS}`)
    if (!(rows as { name: string }[]).some(({ name }) => name === source))
      throw new AppError(
        "conflict",
        `The database ${to.place} holds half of another store. Copy that one to its end, or take an empty database: createdb, then --to its address.`,
      )
    return new Map((rows as { name: string; last: number; done: number }[]).map((row) => [row.name, row]))
  })

const totalOf = ({ from }: Copying, { name }: CopiedTable): number =>
  from.raw.prepare(`select count(*) from "${name}"`).pluck().get() as number

const copyTable = async (c: Copying, table: CopiedTable, start: { last: number; done: number }): Promise<void> => {
  let { last, done } = start
  const total = totalOf(c, table)
  for (;;) {
    c.onProgress({ table: table.name, done: Math.min(done, total), total })
    const rows = readSource(c.from, table, last)
    if (rows.length === 0) return
    last = rows.at(-1)!.at
    done += rows.length
    const values = rows.map(({ row }) => ({ ...row, ...table.more(row) }))
    await withClient(c.to.pool, async (client) => {
      await client.query("begin")
      const insert = drizzle(client as never).insert(table.to as unknown as PgTable)
      await insert.values(values as never).onConflictDoNothing()
      await client.query(
        `insert into ${PROGRESS} (name, last, done) values ($1, $2, $3)
          on conflict (name) do update set last = excluded.last, done = excluded.done`,
        [table.name, last, done],
      )
      await client.query("commit")
    })
  }
}

/** The next number of a column that the database counts comes after those that were copied. */
const setNumbers = ({ to }: Copying, { name, numbered }: CopiedTable): Promise<unknown> =>
  numbered === null
    ? Promise.resolve()
    : to.pool.query(`select setval(pg_get_serial_sequence('${name}', '${numbered}'), max("${numbered}"))
        from "${name}" having max("${numbered}") is not null`)

const compare = async (c: Copying, table: CopiedTable): Promise<CopiedCount> => {
  const [source, target] = [new RowChecksum(), new RowChecksum()]
  for (let after = -1; ; ) {
    const rows = readSource(c.from, table, after)
    if (rows.length === 0) break
    after = rows.at(-1)!.at
    for (const { row } of rows) if (isCompared(table, row)) source.add(row)
  }
  await withClient(c.to.pool, async (client) => {
    for await (const rows of readTarget(client, table))
      for (const row of rows) if (isCompared(table, row)) target.add(row)
  })
  if (source.rows !== target.rows || source.checksum !== target.checksum)
    throw new AppError(
      "conflict",
      `The copy of ${table.name} differs from its source (${source.rows} rows there, ${target.rows} here): one of the two was written to meanwhile. End every service on both, make the target anew (dropdb, createdb) and copy again.`,
    )
  return { table: table.name, rows: source.rows, checksum: source.checksum }
}

/** The target counts some things by itself. */
const isCompared = ({ name }: CopiedTable, row: Readonly<Record<string, unknown>>): boolean =>
  name !== "counters" || row.name === "map_revision"

/**
 * Copies a store from SQLite into an empty PostgreSQL, or goes on with a copy that was interrupted, and compares every row
 * of the two. No service may run on either.
 * @returns the tables with their rows and checksums
 * @throws AppError `conflict` when the target holds something else or half of another, another copy is under way, or the
 * two differ at the end
 */
export const copyStore = async (c: Copying): Promise<CopiedCount[]> => {
  try {
    return await alone(c, () => copyAll(c))
  } catch (error) {
    throw postgresError(error, c.to.place)
  }
}

const copyAll = async (c: Copying): Promise<CopiedCount[]> => {
  const tables = copiedTables()
  const progress = await begin(c)
  for (const table of tables) await copyTable(c, table, progress.get(table.name) ?? { last: -1, done: 0 })
  for (const table of tables) await setNumbers(c, table)
  const counts: CopiedCount[] = []
  for (const table of tables) counts.push(await compare(c, table))
  await c.to.pool.query(`drop table ${PROGRESS}`)
  return counts
}
