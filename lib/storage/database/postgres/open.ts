import pg, { type Pool, type PoolClient } from "pg"
import { AppError } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { CLIENT_SETTINGS, SESSION_SETTINGS } from "./client-timeouts.ts"
import { isConnectionLost, toPostgresError } from "./errors.ts"
import { type Listener, listen } from "./listen.ts"
import { migrate } from "./migrate.ts"
import { type Pgvector, preparePgvector } from "./pgvector.ts"

/** An open, migrated database. Several adapters of a process share it. The code that opened it closes it. */
export type PostgresHandle = {
  /** The address without the password. */
  readonly location: string
  readonly pool: Pool
  /** Null if the pgvector extension is not available. */
  readonly pgvector: Pgvector | null
  readonly changes: Listener
  close(): Promise<void>
}

export type OpenOptions = {
  readonly url: string
  /** The folder of the generated migrations. */
  readonly migrationsDir: string
  /** The maximum number of connections of this process, without the one that listens. Default: 10. */
  readonly maxConnections?: number
  /** `power` waits for every commit to be on disk, even if the server's setting is weaker. Default: the server's setting. */
  readonly durability?: "power" | "process"
  /** Opens a database with an unfinished `store copy` too. Only for the copy itself. */
  readonly allowUnfinishedCopy?: boolean
  readonly log: Pick<Logger, "warn">
}

/** Returns the parts of an address that messages may contain: host and database name. */
export const describeAddress = (url: string): string => {
  const { host, pathname, username } = new URL(url)
  // Without a database name, the server uses the user's name.
  return `${host}${pathname.length > 1 ? pathname : `/${username}`}`
}

/** The longest wait for a connection while all are in use. Callers learn soon that they have to try again. */
const BUSY_TIMEOUT_MS = 3_000
const BUSY_RETRY_MS = 2_000

/** Returns a connection of the pool. @throws AppError `unavailable` if all stay in use for too long */
const connect = async (pool: Pool): Promise<PoolClient> => {
  const isFull = pool.totalCount >= pool.options.max
  const connecting = pool.connect()
  if (!isFull) return connecting
  let timer: NodeJS.Timeout | undefined
  const busy = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), BUSY_TIMEOUT_MS)
  })
  const client = await Promise.race([connecting, busy]).finally(() => clearTimeout(timer))
  if (client !== null) return client
  // The pool may hand the connection out later.
  void connecting.then((unused) => unused.release()).catch(() => undefined)
  throw new AppError(
    "unavailable",
    `All ${pool.options.max} connections to PostgreSQL are in use. Try again in a moment. If this happens often, raise SERVICE_DATABASE_POOL.`,
    { retry: "retry", retryInMs: BUSY_RETRY_MS },
  )
}

/** Runs `work` on a connection from the pool. Rolls back if it throws, and discards a broken connection. */
export const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await connect(pool)
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    if (isConnectionLost(error)) {
      client.release(true)
      throw error
    }
    // Ends a transaction that `work` began. A connection that cannot roll back is discarded.
    await client.query("rollback").then(
      () => client.release(),
      (broken: unknown) => client.release(broken instanceof Error ? broken : true),
    )
    throw error
  }
}

/** Distinguishes the session of `store copy` from those of the service. */
const COPY_APPLICATION_NAME = "earmark store copy"

/** Throws if the database is not encoded in UTF-8, because other encodings cannot store every transcript. */
const checkEncoding = async (client: PoolClient, location: string): Promise<void> => {
  const { rows } = await client.query("show server_encoding")
  const { server_encoding: encoding } = rows[0] as { server_encoding: string }
  if (encoding !== "UTF8")
    throw new AppError(
      "unavailable",
      `Couldn't use the PostgreSQL database ${location}: its encoding ${encoding} cannot store every text. Create one in UTF-8: createdb -E UTF8 -T template0 NAME`,
    )
}

/** Counts the connections of other Earmark processes to this database. */
export const countOtherConnections = async ({ pool }: Pick<PostgresHandle, "pool">): Promise<number> => {
  const { rows } = await pool.query(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name in ('earmark', 'earmark listener')`,
  )
  return (rows[0] as { n: number }).n
}

/** The table exists while a copy into the database is unfinished. */
export const COPY_PROGRESS_TABLE = "earmark_copy"

const checkCopyFinished = async (client: PoolClient, location: string): Promise<void> => {
  const { rows } = await client.query(`select to_regclass('${COPY_PROGRESS_TABLE}') is not null as unfinished`)
  if ((rows[0] as { unfinished: boolean }).unfinished)
    throw new AppError(
      "unavailable",
      `Couldn't open the PostgreSQL database ${location}: 'earmark store copy' into it has not finished. Run the command again to continue, then start the service.`,
    )
}

/**
 * Opens the database and migrates it. Several processes may call it concurrently.
 * @throws AppError `unavailable` if it does not answer, rejects the connection, is newer, belongs to another program, or
 * contains an unfinished copy
 */
export const openPostgres = async (p: OpenOptions): Promise<PostgresHandle> => {
  const location = describeAddress(p.url)
  // Reads 64-bit integers as numbers. Counts and milliseconds are far below 2^53.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    ...CLIENT_SETTINGS,
    ...(p.allowUnfinishedCopy && { application_name: COPY_APPLICATION_NAME }),
    connectionString: p.url,
    max: p.maxConnections ?? 10,
    onConnect: async (client) => {
      await client.query(SESSION_SETTINGS)
      if (p.durability === "power") await client.query("set synchronous_commit = on")
    },
  })
  // Without a handler, an idle connection that breaks would crash the process. The next statement reports the error.
  const ignoreError = () => undefined
  pool.on("error", ignoreError)
  pool.on("connect", (client) => client.on("error", ignoreError))
  try {
    const pgvector = await withClient(pool, async (client) => {
      await checkEncoding(client, location)
      await migrate(client, location, p.migrationsDir)
      if (!p.allowUnfinishedCopy) await checkCopyFinished(client, location)
      return preparePgvector(client)
    })
    const changes = listen(p.url, p.log)
    return {
      location,
      pool,
      pgvector,
      changes,
      close: async () => {
        await changes.close()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw toPostgresError(error, location)
  }
}
