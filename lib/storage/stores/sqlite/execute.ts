import type { Tx as SqliteTransaction } from "../../database/transact.ts"
import type { Operation, Statement } from "../sql/statements.ts"

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
export const runOperation = <T>(db: SqliteTransaction, operation: Operation<T>): { readonly result: T } => {
  let next = operation.next()
  while (!next.done) next = operation.next(execute(db, next.value))
  return { result: next.value }
}
