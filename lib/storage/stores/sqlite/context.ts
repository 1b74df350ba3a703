import type { DatabaseHandle } from "../../database/open.ts"
import * as schema from "../../database/schema/index.ts"
import { type Tx as Driver, withRead, withWrite } from "../../database/transact.ts"
import type { Context, Tx } from "../sql/context.ts"
import type { Step, Steps } from "../sql/steps.ts"
import { sqliteDialect } from "./dialect.ts"

const answer = (db: Driver, step: Step): unknown => {
  switch (step.kind) {
    case "all":
      return step.query.all()
    case "get":
      return step.query.get()
    case "run":
      return step.query.run().changes
    case "rows":
      return db.all(step.query)
    case "lock":
      // Whoever writes has the database to itself.
      return undefined
  }
}

/** Runs the body of a transaction to its end without a wait. */
const carryOut = <T>(db: Driver, tx: Omit<Tx, "db">, body: (tx: Tx) => Steps<T>): { readonly result: T } => {
  const steps = body({ ...tx, db })
  let next = steps.next()
  while (!next.done) next = steps.next(answer(db, next.value))
  return { result: next.value }
}

/** Transactions on SQLite, timed by the clock of this process: all of them are on one machine. */
export const sqliteContext = (handle: DatabaseHandle, now: () => number): Context => {
  const dialect = sqliteDialect(handle)
  const about = () => ({ t: schema, dialect, at: now() })
  return {
    read: async (body) => withRead(handle, (db) => carryOut(db, about(), body)).result,
    write: async (_, body) => (await handle.turn(() => withWrite(handle, (db) => carryOut(db, about(), body)))).result,
  }
}
