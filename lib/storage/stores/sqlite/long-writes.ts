import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { codeOf, toDatabaseError } from "../../database/errors.ts"
import { createHandle, type DatabaseHandle } from "../../database/open.ts"
import * as tables from "../../database/schema/index.ts"
import type { Transaction } from "../sql/database.ts"
import type { Operation, Statement } from "../sql/statements.ts"
import { createSqliteDialect } from "./dialect.ts"

/** The event loop gets a turn after this time. */
const TURN_MS = 10
const RETRY_MS = 10

/**
 * Runs long write transactions without blocking the event loop, on a connection of their own and one at a time. Between two
 * statements other requests are handled. They do not see the transaction, because it is on another connection, and their
 * writes wait for its end as for one of another process.
 */
export const createLongWrites = (
  main: DatabaseHandle,
  clock: () => number,
  execute: (db: DatabaseHandle["db"], statement: Statement) => unknown,
) => {
  let own: DatabaseHandle | undefined
  let last: Promise<unknown> = Promise.resolve()

  const open = (): DatabaseHandle => {
    const raw = new Driver(main.path, { timeout: 0 })
    raw.pragma("synchronous = NORMAL")
    raw.pragma("foreign_keys = ON")
    return createHandle(main.path, raw, 0)
  }
  const begin = async ({ raw }: DatabaseHandle): Promise<void> => {
    for (const deadline = Date.now() + main.busyTimeoutMs; ; await sleep(RETRY_MS)) {
      try {
        raw.exec("begin immediate")
        return
      } catch (error) {
        if (!codeOf(error)?.startsWith("SQLITE_BUSY") || Date.now() > deadline) throw error
      }
    }
  }
  const runInTurns = async <T>(handle: DatabaseHandle, operation: Operation<T>): Promise<T> => {
    let turnStart = performance.now()
    for (let next = operation.next(); ; next = operation.next(execute(handle.db, next.value))) {
      if (next.done) return next.value
      if (performance.now() - turnStart < TURN_MS) continue
      await immediate()
      turnStart = performance.now()
    }
  }
  const run = async <T>(body: (tx: Transaction) => Operation<T>): Promise<T> => {
    try {
      own ??= open()
      const { raw, db } = own
      await begin(own)
      try {
        const result = await runInTurns(own, body({ db, tables, dialect: createSqliteDialect(own), now: clock() }))
        raw.exec("commit")
        return result
      } finally {
        if (raw.open && raw.inTransaction) raw.exec("rollback")
      }
    } catch (error) {
      throw toDatabaseError(error, main.path)
    }
  }

  return {
    /** @throws AppError `unavailable` if the database stays locked, `storage_full` */
    write: <T>(body: (tx: Transaction) => Operation<T>): Promise<T> => {
      const result = last.then(() => run(body))
      last = result.catch(() => {})
      return result
    },
    close: () => own?.close(),
  }
}
