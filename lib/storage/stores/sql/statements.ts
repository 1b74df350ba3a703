import type { SQL } from "drizzle-orm"

/** The methods of a query builder statement that run it on SQLite. On PostgreSQL the statement is awaited instead. */
type Query = { all(): readonly unknown[]; get(): unknown; run(): { readonly changes: number } }

/** A statement that an operation asks its database to execute. */
export type Statement =
  | { readonly kind: "all" | "get"; readonly query: Pick<Query, "all" | "get"> }
  | { readonly kind: "run"; readonly query: Pick<Query, "run"> }
  | { readonly kind: "rows"; readonly query: SQL }
  | { readonly kind: "lock"; readonly key: string }
  | { readonly kind: "step"; readonly work: () => void }

/**
 * The body of a transaction, as a generator that yields one statement after the other and receives its result.
 *
 * SQLite executes each statement synchronously, because its transactions must not wait. PostgreSQL resumes the generator
 * when the result arrives. A transaction may be retried, so the body may run more than once.
 */
export type Operation<T> = Generator<Statement, T, unknown>

/** Returns all rows of a query. */
export function* all<T>(query: { all(): T[]; get(): unknown }): Operation<T[]> {
  return (yield { kind: "all", query }) as T[]
}

/** Returns the first row of a query, or undefined. */
export function* get<T>(query: { all(): readonly unknown[]; get(): T | undefined }): Operation<T | undefined> {
  return (yield { kind: "get", query }) as T | undefined
}

/** Executes a write. Returns the number of rows that it changed. */
export function* run(query: Pick<Query, "run">): Operation<number> {
  return (yield { kind: "run", query }) as number
}

/** Returns all rows of a query in SQL, with the column names as keys. */
export function* queryRows<T>(query: SQL): Operation<T[]> {
  return (yield { kind: "rows", query }) as T[]
}

/**
 * Waits until no other transaction holds this lock, and holds it until the transaction ends. Does nothing on SQLite,
 * where a writing transaction has the database to itself.
 */
export function* lock(key: string): Operation<void> {
  yield { kind: "lock", key }
}

/** Runs a function that uses the connection of the transaction itself. Only on SQLite. */
export function* step(work: () => void): Operation<void> {
  yield { kind: "step", work }
}

/** Returns a constant without querying the database. */
export function* constant<T>(result: T): Operation<T> {
  yield* []
  return result
}

/** The maximum number of rows per statement. SQLite accepts 32 766 parameters in one. */
const BATCH_SIZE = 1000

/** Splits a list into batches that fit into one statement each. */
export function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE)
}
