import type { DatabaseHandle } from "../../database/open.ts"
import * as tables from "../../database/schema/index.ts"
import { type Tx as SqliteTransaction, withRead, withWrite } from "../../database/transact.ts"
import type { SqlDatabase, Transaction } from "../sql/database.ts"
import type { Operation } from "../sql/statements.ts"
import { createSqliteDialect } from "./dialect.ts"
import { createDocumentWriter } from "./document-writer.ts"
import { runOperation } from "./execute.ts"

/** Runs transactions on SQLite. Times come from the clock of this process, because all processes share one machine. */
export const createSqliteDatabase = (
  handle: DatabaseHandle,
  clock: () => number,
): SqlDatabase & { readonly close: () => void } => {
  const documentWriter = createDocumentWriter(handle, clock)
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
    documentWriter,
    close: () => {
      documentWriter.close()
      handle.close()
    },
  }
}
