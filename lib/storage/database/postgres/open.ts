import pg, { type Pool, type PoolClient } from "pg"
import { AppError } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { CLIENT_TIMEOUTS, SESSION } from "./client-timeouts.ts"
import { isConnectionLost, postgresError } from "./errors.ts"
import { type Listener, listen } from "./listen.ts"
import { migrate } from "./migrate.ts"
import { type Pgvector, preparePgvector } from "./pgvector.ts"

/** An open, migrated database. Adapters of one process share it; whoever opened it closes it. */
export type PostgresHandle = {
  /** The address without the password. */
  readonly place: string
  readonly pool: Pool
  /** What the extension for vectors can do here; null: it is not there. */
  readonly pgvector: Pgvector | null
  readonly changes: Listener
  close(): Promise<void>
}

export type OpenOptions = {
  readonly url: string
  /** The folder of the generated migrations. */
  readonly migrationsDir: string
  /** Connections of this process at most, but for the one that listens. */
  readonly connections?: number
  /** Also one into which a copy is under way, which only who copies may work on. */
  readonly halfCopied?: boolean
  readonly log: Pick<Logger, "warn">
}

/** All that a message may repeat of an address. */
export const placeOf = (url: string): string => {
  const { host, pathname, username } = new URL(url)
  // Without one the server takes that of the user's name.
  return `${host}${pathname.length > 1 ? pathname : `/${username}`}`
}

/** Runs work on a connection of its own; one that broke is thrown away. */
export const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    if (isConnectionLost(error)) {
      client.release(true)
      throw error
    }
    // Also ends a transaction that the work began; a connection that cannot even do that is thrown away.
    await client.query("rollback").then(
      () => client.release(),
      (broken: unknown) => client.release(broken instanceof Error ? broken : true),
    )
    throw error
  }
}

/** By which name who copies is known among the sessions of a server. */
const COPIER = "earmark store copy"

/** In another encoding than UTF-8 some of what people say cannot be kept. */
const refuseEncoding = async (client: PoolClient, place: string): Promise<void> => {
  const { rows } = await client.query("show server_encoding")
  const { server_encoding: encoding } = rows[0] as { server_encoding: string }
  if (encoding !== "UTF8")
    throw new AppError(
      "unavailable",
      `The PostgreSQL ${place} is kept in ${encoding}, which cannot hold every text. Make one with: createdb -E UTF8 -T template0 NAME`,
    )
}

/** How many connections other processes of Earmark have to this database. */
export const countOtherConnections = async ({ pool }: Pick<PostgresHandle, "pool">): Promise<number> => {
  const { rows } = await pool.query(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name in ('earmark', 'earmark listener')`,
  )
  return (rows[0] as { n: number }).n
}

/** Stands in a database for as long as not all of a store has been copied into it. */
export const COPY_PROGRESS = "earmark_copy"

const refuseHalfCopied = async (client: PoolClient, place: string): Promise<void> => {
  const { rows } = await client.query(`select to_regclass('${COPY_PROGRESS}') is not null as half`)
  if ((rows[0] as { half: boolean }).half)
    throw new AppError(
      "unavailable",
      `The PostgreSQL ${place} holds half of a store: 'earmark store copy' into it has not ended. Run it again, it goes on where it was; then start.`,
    )
}

/**
 * Opens the database for this process and migrates it; safe to call from many processes at once.
 * @throws AppError `unavailable` with a sentence: nobody answers, refused, newer, foreign, half copied.
 */
export const openPostgres = async (p: OpenOptions): Promise<PostgresHandle> => {
  const place = placeOf(p.url)
  // Counts and milliseconds stay far below 2^53.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    ...CLIENT_TIMEOUTS,
    ...(p.halfCopied && { application_name: COPIER }),
    connectionString: p.url,
    max: p.connections ?? 10,
    onConnect: async (client) => void (await client.query(SESSION)),
  })
  // A connection that ends while no statement is under way: whoever uses it next is told, or opens another.
  const ended = () => undefined
  pool.on("error", ended)
  pool.on("connect", (client) => client.on("error", ended))
  try {
    const pgvector = await withClient(pool, async (client) => {
      await refuseEncoding(client, place)
      await migrate(client, place, p.migrationsDir)
      if (!p.halfCopied) await refuseHalfCopied(client, place)
      return preparePgvector(client)
    })
    const changes = listen(p.url, p.log)
    return {
      place,
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
    throw postgresError(error, place)
  }
}
