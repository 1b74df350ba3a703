import type { DatabaseHandle } from "../../database/open.ts"
import * as tables from "../../database/schema/index.ts"
import { type Tx as SqliteTransaction, withRead, withWrite } from "../../database/transact.ts"
import type { SqlDatabase, Transaction } from "../sql/database.ts"
import type { Operation, Statement } from "../sql/statements.ts"
import { createSqliteDialect } from "./dialect.ts"

const execute = (db: SqliteTransaction, statement: Statement): unknown => {
  switch (statement.kind) {
    case "all":
      return statement.query.all()
    case "get":
      return statement.query.get()
    case "run":
      return statement.query.run().changes
    case "rows":
      return db.all(statement.query)
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
export const createSqliteDatabase = (handle: DatabaseHandle, clock: () => number): SqlDatabase => {
  const dialect = createSqliteDialect(handle)
  const runTransaction = <T>(db: SqliteTransaction, body: (tx: Transaction) => Operation<T>) =>
    runOperation(db, body({ db, tables, dialect, now: clock() }))
  return {
    read: async (body) => withRead(handle, (db) => runTransaction(db, body)).result,
    write: async (_lockKeys, body) => {
      const { result } = await handle.enqueueWrite(() => withWrite(handle, (db) => runTransaction(db, body)))
      return result
    },
  }
}
