import { AppError } from "../../../domain/errors.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import * as tables from "../../database/schema/index.ts"
import { type Tx as SqliteTransaction, withRead, withWrite } from "../../database/transact.ts"
import type { SqlDatabase, Transaction } from "../sql/database.ts"
import type { Operation, Statement } from "../sql/statements.ts"
import { createSqliteDialect } from "./dialect.ts"
import { createLongWrites } from "./long-writes.ts"

const execute = (db: Pick<SqliteTransaction, "all">, statement: Statement): unknown => {
  switch (statement.kind) {
    case "all":
      return statement.query.all()
    case "get":
      return statement.query.get()
    case "run":
      return statement.query.run().changes
    case "rows":
      return db.all(statement.query)
    case "step":
      return statement.work()
    case "lock":
      // A writing transaction has the database to itself.
      return undefined
  }
}

/** Executes all statements of an operation synchronously. The result is wrapped, because it could be a promise. */
const runOperation = <T>(db: SqliteTransaction, operation: Operation<T>): { readonly result: T } => {
  let next = operation.next()
  while (!next.done) next = operation.next(execute(db, next.value))
  return { result: next.value }
}

/** Runs transactions on SQLite. Times come from the clock of this process, because all processes share one machine. */
export const createSqliteDatabase = (
  handle: DatabaseHandle,
  clock: () => number,
): SqlDatabase & { readonly close: () => void } => {
  const longWrites = createLongWrites(handle, clock, execute)
  const dialect = createSqliteDialect(handle)
  const runTransaction = <T>(db: SqliteTransaction, body: (tx: Transaction) => Operation<T>) =>
    runOperation(db, body({ db, tables, dialect, now: clock() }))
  const write: SqlDatabase["write"] = async (_lockKeys, body) => {
    const { result } = await handle.enqueueWrite(() => withWrite(handle, (db) => runTransaction(db, body)))
    return result
  }
  return {
    read: async (body) => withRead(handle, (db) => runTransaction(db, body)).result,
    write,
    // Only a write of the queue can free space on a full disk.
    writeInTurns: (lockKeys, body) =>
      longWrites.write(body).catch((error: unknown) => {
        if (AppError.is(error) && error.code === "storage_full") return write(lockKeys, body)
        throw error
      }),
    close: () => {
      longWrites.close()
      handle.close()
    },
  }
}
