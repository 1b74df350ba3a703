import { createHash } from "node:crypto"
import type { SQL } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import type { PoolClient } from "pg"
import { isSerializationFailure, postgresError } from "../../database/postgres/errors.ts"
import { type PostgresHandle, withClient } from "../../database/postgres/open.ts"
import * as schema from "../../database/postgres/schema.ts"
import type { Context, Tx } from "../sql/context.ts"
import type { Step, Steps } from "../sql/steps.ts"
import { postgresDialect } from "./dialect.ts"

/** How often a transaction begins anew after it crossed with another. */
const TRIES = 8
/** So long one transaction waits for another; as long as SQLite waits for its lock. */
const LOCK_WAIT_MS = 8_000
/** The first statement of a transaction is answered at once but for its locks, or the network swallows it. */
const BEGIN_MS = 10_000

/** The number under which PostgreSQL knows a lock of this name. */
const lockKey = (name: string): string => createHash("sha256").update(name).digest().readBigInt64BE().toString()
const lockSql = (name: string): string => `select pg_advisory_xact_lock(${lockKey(name)})`

const READ = "begin isolation level repeatable read read only"
/** The clock is read after the locks are there: who waited sees the time at which it goes on. */
const CLOCK = "select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at"

type Driver = Pick<ReturnType<typeof drizzle>, "execute">
/** What a statement of PostgreSQL's builder answers when it is waited for. */
type Answering = PromiseLike<readonly unknown[] & { readonly rowCount?: number }>

const answer = async (client: PoolClient, db: Driver, step: Step): Promise<unknown> => {
  switch (step.kind) {
    case "all":
      return step.query as unknown as Answering
    case "get":
      return (await (step.query as unknown as Answering))[0]
    case "run":
      return (await (step.query as unknown as Answering)).rowCount ?? 0
    case "rows":
      return (await db.execute(step.query as SQL)).rows
    case "lock":
      return client.query(lockSql(step.name))
  }
}

/** Asks the database for one statement after the other until the body has ended. */
const carryOut = async <T>(client: PoolClient, db: Driver, steps: Steps<T>): Promise<T> => {
  let next = steps.next()
  while (!next.done) next = steps.next(await answer(client, db, next.value))
  return next.value
}

/**
 * Transactions on PostgreSQL, timed by its clock: the clocks of hosts differ. `now` takes its place in tests.
 * What two transactions must not do at once they do under a common name, which is an advisory lock; so a write needs no
 * stricter isolation than READ COMMITTED, and one that crosses with another all the same begins anew.
 */
export const postgresContext = (handle: PostgresHandle, now?: () => number): Context => {
  const dialect = postgresDialect(handle.pgvector !== null)
  const once = <T>(begin: string, beginMs: number, body: (tx: Tx) => Steps<T>): Promise<T> =>
    withClient(handle.pool, async (client) => {
      const first = { text: `${begin}; ${CLOCK}`, query_timeout: beginMs }
      const results = (await client.query(first)) as unknown as { rows: { at: number }[] }[]
      const at = now?.() ?? results.at(-1)!.rows[0]!.at
      const db = drizzle(client)
      // The builder and the tables of PostgreSQL, in the clothes of SQLite's.
      const tx = { db: db as unknown as Tx["db"], t: schema as unknown as Tx["t"], dialect, at }
      const result = await carryOut(client, db, body(tx))
      await client.query("commit")
      return result
    })
  const repeated = async <T>(begin: string, locks: number, body: (tx: Tx) => Steps<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await once(begin, BEGIN_MS + locks * LOCK_WAIT_MS, body)
      } catch (error) {
        if (!isSerializationFailure(error) || tries === TRIES) throw postgresError(error, handle.place)
      }
    }
  }
  return {
    read: (body) => repeated(READ, 0, body),
    write: (names, body) => {
      const locks = names.toSorted().map(lockSql)
      return repeated(["begin", `set local lock_timeout = ${LOCK_WAIT_MS}`, ...locks].join("; "), locks.length, body)
    },
  }
}
