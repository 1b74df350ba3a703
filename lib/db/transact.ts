import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3"
import { databaseError } from "./errors.ts"
import type { DatabaseHandle } from "./open.ts"

/** What the body of a transaction works on. */
export type Tx = Parameters<Parameters<BetterSQLite3Database["transaction"]>[0]>[0]

/** A body that returned a promise would be committed before it ended; the type forbids it, the driver throws. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T

const run = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>, behavior: "immediate" | "deferred"): T => {
  try {
    return handle.db.transaction(body, { behavior }) as T
  } catch (error) {
    throw databaseError(error, handle.path)
  }
}

/**
 * One synchronous transaction that holds the write lock from its first statement, so that what it read stays true
 * until it commits.
 * @throws AppError `unavailable` (retry) when the database stays locked, `storage_full` (retry) when the disk is full.
 */
export const withWrite = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => run(handle, body, "immediate")

/** One synchronous transaction whose reads all see the same moment. Throws as `withWrite`. */
export const withRead = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => run(handle, body, "deferred")
