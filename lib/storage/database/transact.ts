import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { releaseReserve } from "./disk-reserve.ts"
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
export const withWrite = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => {
  // Within another one there is no room to be made: who holds that one tries again.
  if (handle.raw.inTransaction) return run(handle, body, "immediate")
  for (const makeRoom of [emptyJournal, ({ path }: DatabaseHandle) => releaseReserve(path)]) {
    try {
      return run(handle, body, "immediate")
    } catch (error) {
      if (!AppError.is(error) || error.code !== "storage_full" || !makeRoom(handle)) throw error
    }
  }
  return run(handle, body, "immediate")
}

/**
 * On a full disk the journal itself is what can be given back: pages written many times stand in it many times, and in
 * the database once. @returns true: what else there is, is the reserve
 */
const emptyJournal = ({ raw, busyTimeoutMs }: DatabaseHandle): boolean => {
  try {
    // Also in a turn: there is room only when those who read have ended.
    raw.pragma(`busy_timeout = ${busyTimeoutMs}`)
    raw.pragma("wal_checkpoint(TRUNCATE)")
  } catch {
    // Not even that could be written.
  }
  return true
}

/** One synchronous transaction whose reads all see the same moment. Throws as `withWrite`. */
export const withRead = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => run(handle, body, "deferred")
