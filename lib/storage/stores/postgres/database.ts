import { createHash } from "node:crypto"
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres"
import type { PoolClient, QueryResult } from "pg"
import { toSharedBuilder } from "../../database/postgres/driver-types.ts"
import { isSerializationFailure, toPostgresError } from "../../database/postgres/errors.ts"
import { type PostgresHandle, withClient } from "../../database/postgres/open.ts"
import * as tables from "../../database/postgres/schema.ts"
import type { SqlDatabase, Transaction } from "../sql/database.ts"
import type { Operation, Statement } from "../sql/statements.ts"
import { createPostgresDialect } from "./dialect.ts"

/** The maximum number of times that a transaction runs if it conflicts with others. */
const MAX_ATTEMPTS = 8
/** The maximum wait for the lock of another transaction. It equals the busy timeout of SQLite. */
const LOCK_TIMEOUT_MS = 8_000
/** The first statement of a transaction is fast except for its locks. If it takes longer, the connection is lost. */
const BEGIN_TIMEOUT_MS = 10_000

/** Returns the SQL that takes an advisory lock until the end of the transaction. */
const advisoryLockSql = (key: string): string => {
  const id = createHash("sha256").update(key).digest().readBigInt64BE()
  return `select pg_advisory_xact_lock(${id})`
}

const BEGIN_READ = "begin isolation level repeatable read read only"
/** Read after the locks are held, so that a transaction that waited for one sees the time at which it continues. */
const NOW = "select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now"

const execute = async (client: PoolClient, db: NodePgDatabase, statement: Statement): Promise<unknown> => {
  if (statement.kind === "lock") return client.query(advisoryLockSql(statement.key))
  if (statement.kind === "step") return statement.work()
  if (statement.kind === "rows") return (await db.execute(statement.query)).rows
  // The statement comes from PostgreSQL's builder, which executes it when it is awaited.
  const result: unknown = await statement.query
  if (statement.kind === "run") return (result as Pick<QueryResult, "rowCount">).rowCount ?? 0
  return statement.kind === "get" ? (result as readonly unknown[])[0] : result
}

/** Executes the statements of an operation one after the other. Returns its result. */
const runOperation = async <T>(client: PoolClient, db: NodePgDatabase, operation: Operation<T>): Promise<T> => {
  let next = operation.next()
  while (!next.done) next = operation.next(await execute(client, db, next.value))
  return next.value
}

/**
 * Runs transactions on PostgreSQL. Lock keys become advisory locks, so writes need no isolation beyond READ COMMITTED.
 * A transaction that fails to serialize is retried. Times come from the clock of the database, because those of the hosts
 * differ.
 * @param clock replaces the clock of the database in tests
 */
export const createPostgresDatabase = (handle: PostgresHandle, clock?: () => number): SqlDatabase => {
  const dialect = createPostgresDialect(handle.pgvector !== null)
  const runOnce = <T>(begin: string, beginTimeoutMs: number, body: (tx: Transaction) => Operation<T>): Promise<T> =>
    withClient(handle.pool, async (client) => {
      const first = { text: `${begin}; ${NOW}`, query_timeout: beginTimeoutMs }
      // The driver returns one result per statement of the text.
      const results: QueryResult<{ now: number }> | QueryResult<{ now: number }>[] = await client.query(first)
      const last = Array.isArray(results) ? results.at(-1) : results
      const db = drizzle(client)
      const tx = { db: toSharedBuilder(db), tables, dialect, now: clock?.() ?? last!.rows[0]!.now }
      const result = await runOperation(client, db, body(tx))
      await client.query("commit")
      return result
    })
  const runTransaction = async <T>(
    begin: string,
    lockCount: number,
    body: (tx: Transaction) => Operation<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(begin, BEGIN_TIMEOUT_MS + lockCount * LOCK_TIMEOUT_MS, body)
      } catch (error) {
        if (!isSerializationFailure(error) || attempt === MAX_ATTEMPTS) throw toPostgresError(error, handle.location)
      }
    }
  }
  const write: SqlDatabase["write"] = (lockKeys, body) => {
    // Sorted, so that two transactions take common locks in the same order.
    const locks = lockKeys.toSorted().map(advisoryLockSql)
    const begin = ["begin", `set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...locks].join("; ")
    return runTransaction(begin, locks.length, body)
  }
  return {
    read: (body) => runTransaction(BEGIN_READ, 0, body),
    write,
    documentWriter: null,
  }
}
