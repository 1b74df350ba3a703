import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { releaseReserve } from "./disk-reserve.ts"
import { toDatabaseError } from "./errors.ts"
import type { DatabaseHandle } from "./open.ts"

export type Tx = Parameters<Parameters<BetterSQLite3Database["transaction"]>[0]>[0]

/** Forbids a promise, because the transaction would commit before it settles. The driver throws in that case. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T

const run = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>, behavior: "immediate" | "deferred"): T => {
  try {
    return handle.db.transaction(body, { behavior }) as T
  } catch (error) {
    throw toDatabaseError(error, handle.path)
  }
}

/**
 * Runs a synchronous transaction that holds the write lock from the start, so that nothing it reads changes until it
 * commits. On a full disk it tries to free space first.
 * @throws AppError `unavailable` (retry) if the database stays locked, `storage_full` (retry) if the disk is full
 */
export const withWrite = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => {
  // Space cannot be freed inside another transaction. The outer one retries.
  if (handle.raw.inTransaction) return run(handle, body, "immediate")
  for (const freeSpace of [truncateJournal, ({ path }: DatabaseHandle) => releaseReserve(path)]) {
    try {
      return run(handle, body, "immediate")
    } catch (error) {
      if (!AppError.is(error) || error.code !== "storage_full" || !freeSpace(handle)) throw error
    }
  }
  return run(handle, body, "immediate")
}

/**
 * Writes the journal back to the database and truncates it. Pages that were written repeatedly are in the journal many
 * times. Always returns true, so that the caller retries.
 */
const truncateJournal = ({ raw, busyTimeoutMs }: DatabaseHandle): boolean => {
  try {
    // The write queue sets the timeout to 0, but truncating must wait until all readers have ended.
    raw.pragma(`busy_timeout = ${busyTimeoutMs}`)
    raw.pragma("wal_checkpoint(TRUNCATE)")
  } catch {
    // The disk is too full even for this.
  }
  return true
}

/** Runs a synchronous transaction whose reads see one snapshot. Throws like `withWrite`. */
export const withRead = <T>(handle: DatabaseHandle, body: (tx: Tx) => Sync<T>): T => run(handle, body, "deferred")
