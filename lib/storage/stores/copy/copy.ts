import { drizzle } from "drizzle-orm/node-postgres"
import { AppError } from "../../../domain/errors.ts"
import { sha256 } from "../../../domain/ids.ts"
import { codeOf } from "../../database/errors.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { toPgTable } from "../../database/postgres/driver-types.ts"
import { toPostgresError } from "../../database/postgres/errors.ts"
import { COPY_PROGRESS_TABLE, type PostgresHandle, withClient } from "../../database/postgres/open.ts"
import { RowChecksum, readSource, readTarget } from "./rows.ts"
import { type CopiedTable, copiedTables } from "./tables.ts"

export type CopyProgress = { readonly table: string; readonly done: number; readonly total: number }
export type CopiedCount = { readonly table: string; readonly rows: number; readonly checksum: string }

type Copy = {
  readonly from: DatabaseHandle
  readonly to: PostgresHandle
  readonly onProgress: (progress: CopyProgress) => void
}

/** The server notices only after a moment that a killed copy has gone. */
const LOCK_TIMEOUT = "5s"
const LOCK_ID = "8370419246114418"

/** Runs `work` under a lock, because two copies into one database would count each other's rows. */
const withCopyLock = <T>({ to }: Copy, work: () => Promise<T>): Promise<T> =>
  withClient(to.pool, async (client) => {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(`select pg_advisory_lock(${LOCK_ID})`).catch((error: unknown) => {
      if (codeOf(error) !== "55P03") throw error
      throw new AppError(
        "conflict",
        `Another 'earmark store copy' is writing to ${to.location}. Wait until it ends, or stop it.`,
      )
    })
    try {
      return await work()
    } finally {
      await client.query(`reset lock_timeout; select pg_advisory_unlock(${LOCK_ID})`).catch(() => undefined)
    }
  })

/** Identifies a source by its first rows, which stay when others are added. */
const sourceName = ({ from }: Copy): string => {
  const first = ["clips", "jobs", "documents"].map((name) =>
    from.raw.prepare(`select id from "${name}" order by rowid limit 1`).pluck().get(),
  )
  return `source ${sha256(JSON.stringify(first))}`
}

/**
 * Reads the progress of each table. It is stored in the target, in the transaction of the copied rows, so that an
 * interrupted copy can be resumed.
 */
const loadProgress = (c: Copy): Promise<Map<string, { last: number; done: number }>> =>
  withClient(c.to.pool, async (client) => {
    const { to } = c
    const { rows: states } = await client.query(`select to_regclass('${COPY_PROGRESS_TABLE}') is not null as begun,
      exists (select 1 from clips) or exists (select 1 from jobs) or exists (select 1 from documents) as filled`)
    const { begun, filled } = states[0] as { begun: boolean; filled: boolean }
    if (filled && !begun)
      throw new AppError(
        "conflict",
        `The database ${to.location} already contains clips, jobs or documents. If a copy into it has finished, start the service on it. Otherwise copy into an empty database: run createdb, then pass its address with --to.`,
      )
    const source = sourceName(c)
    if (!begun) {
      await client.query("begin")
      await client.query(
        `create table ${COPY_PROGRESS_TABLE} (name text primary key, last bigint not null, done bigint not null)`,
      )
      await client.query(`insert into ${COPY_PROGRESS_TABLE} (name, last, done) values ($1, -1, 0)`, [source])
      await client.query("commit")
    }
    const { rows } = await client.query(`select name, last, done from ${COPY_PROGRESS_TABLE}`)
    if (!(rows as { name: string }[]).some(({ name }) => name === source))
      throw new AppError(
        "conflict",
        `The database ${to.location} contains an unfinished copy of another store. Finish that copy, or use an empty database: run createdb, then pass its address with --to.`,
      )
    return new Map((rows as { name: string; last: number; done: number }[]).map((row) => [row.name, row]))
  })

const countRows = ({ from }: Copy, { name }: CopiedTable): number =>
  from.raw.prepare(`select count(*) from "${name}"`).pluck().get() as number

const copyTable = async (c: Copy, table: CopiedTable, start: { last: number; done: number }): Promise<void> => {
  let { last, done } = start
  const total = countRows(c, table)
  for (;;) {
    c.onProgress({ table: table.name, done: Math.min(done, total), total })
    const rows = readSource(c.from, table, last)
    if (rows.length === 0) return
    last = rows.at(-1)!.at
    done += rows.length
    const values = rows.map(({ row }) => ({ ...row, ...table.extraColumns(row) }))
    await withClient(c.to.pool, async (client) => {
      await client.query("begin")
      const insert = drizzle(client).insert(toPgTable(table.to))
      await insert.values(values as never).onConflictDoNothing()
      await client.query(
        `insert into ${COPY_PROGRESS_TABLE} (name, last, done) values ($1, $2, $3)
          on conflict (name) do update set last = excluded.last, done = excluded.done`,
        [table.name, last, done],
      )
      await client.query("commit")
    })
  }
}

/** Sets the sequence of a table to continue after the copied rows. */
const setSequence = ({ to }: Copy, { name, sequenceColumn }: CopiedTable): Promise<unknown> =>
  sequenceColumn === null
    ? Promise.resolve()
    : to.pool.query(`select setval(pg_get_serial_sequence('${name}', '${sequenceColumn}'), max("${sequenceColumn}"))
        from "${name}" having max("${sequenceColumn}") is not null`)

const compare = async (c: Copy, table: CopiedTable): Promise<CopiedCount> => {
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
      `The copy of ${table.name} differs from its source (${source.rows} rows in the source, ${target.rows} in the target), because one of them was written to meanwhile. Stop every service on both, recreate the target (dropdb, createdb) and copy again.`,
    )
  return { table: table.name, rows: source.rows, checksum: source.checksum }
}

/** Excludes counters that the triggers of the target maintain. */
const isCompared = ({ name }: CopiedTable, row: Readonly<Record<string, unknown>>): boolean =>
  name !== "counters" || row.name === "map_revision"

/**
 * Copies a store from SQLite into an empty PostgreSQL database, or resumes an interrupted copy, then compares all rows. No
 * service may run on either database.
 * @returns the copied tables with their row counts and checksums
 * @throws AppError `conflict` if the target contains other data, another copy is running, or the two differ at the end
 */
export const copyStore = async (c: Copy): Promise<CopiedCount[]> => {
  try {
    return await withCopyLock(c, () => copyAll(c))
  } catch (error) {
    throw toPostgresError(error, c.to.location)
  }
}

/** Returns a number that changes when another connection commits to the source. */
const readDataVersion = ({ from }: Copy): unknown => from.raw.pragma("data_version", { simple: true })

const copyAll = async (c: Copy): Promise<CopiedCount[]> => {
  const tables = copiedTables()
  const version = readDataVersion(c)
  const progress = await loadProgress(c)
  for (const table of tables) await copyTable(c, table, progress.get(table.name) ?? { last: -1, done: 0 })
  for (const table of tables) await setSequence(c, table)
  const counts: CopiedCount[] = []
  for (const [done, table] of tables.entries()) {
    counts.push(await compare(c, table))
    c.onProgress({ table: "compare", done: done + 1, total: tables.length })
  }
  // A row that is inserted after its table was compared would be lost.
  if (readDataVersion(c) !== version)
    throw new AppError(
      "conflict",
      `${c.from.path} was written to while it was copied. Stop every service on it, recreate the target (dropdb, createdb) and copy again.`,
    )
  await c.to.pool.query(`drop table ${COPY_PROGRESS_TABLE}`)
  return counts
}
