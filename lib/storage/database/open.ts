import { closeSync, openSync } from "node:fs"
import { dirname } from "node:path"
import Driver, { type Database } from "better-sqlite3"
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3"
import { makeFolder } from "../../platform/files/folder.ts"
import { type Changes, watchChanges } from "./changes.ts"
import { ensureDiskReserve } from "./disk-reserve.ts"
import { codeOf, toDatabaseError } from "./errors.ts"
import { migrate } from "./migrate.ts"
import { assertOwnDatabase } from "./owner.ts"
import { withStatementCache } from "./statement-cache.ts"
import { createWriteQueue } from "./write-queue.ts"

/** An open, migrated database. Several adapters of a process may share it. The code that opened it closes it. */
export type DatabaseHandle = {
  readonly path: string
  readonly raw: Database
  readonly db: BetterSQLite3Database
  readonly busyTimeoutMs: number
  /** Queues a write transaction, so that waiting for another process's lock does not block the event loop. */
  readonly enqueueWrite: ReturnType<typeof createWriteQueue>
  readonly changes: Changes
  /** May be called more than once. */
  close(): void
}

export type OpenOptions = {
  /** The database file. It and its folder are created if they do not exist. */
  readonly path: string
  /** The folder of the generated migrations. */
  readonly migrationsDir: string
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly busyTimeoutMs?: number
  /** `power` syncs every commit to disk, so that it survives a power cut. Default: `process`. */
  readonly durability?: Durability
}

export type Durability = "power" | "process"

const WAL_RETRY_MS = 20
const sleepSync = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Retries, because switching to WAL ignores the busy timeout and fails while another process does the same. */
const enableWal = (raw: Database, busyTimeoutMs: number) => {
  for (const deadline = Date.now() + busyTimeoutMs; ; sleepSync(WAL_RETRY_MS)) {
    try {
      raw.pragma("journal_mode = WAL")
      return
    } catch (error) {
      if (!codeOf(error)?.startsWith("SQLITE_BUSY") || Date.now() > deadline) throw error
    }
  }
}

/** Creates a file that only this user can read. The journal inherits its mode. An existing file keeps its mode. */
const createPrivateFile = (path: string): void => {
  makeFolder(dirname(path))
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Wraps an open connection. */
export const createHandle = (path: string, raw: Database, busyTimeoutMs: number): DatabaseHandle => {
  const changes = watchChanges(raw)
  return {
    path,
    raw,
    db: drizzle({ client: withStatementCache(raw) }),
    busyTimeoutMs,
    enqueueWrite: createWriteQueue(raw, busyTimeoutMs),
    changes,
    close: () => {
      changes.close()
      raw.close()
    },
  }
}

/**
 * Opens the database and migrates it. Several processes may call it concurrently.
 * @throws AppError `unavailable` if it is locked, damaged, not writable, newer or of another program; `storage_full`
 */
export const openDatabase = ({
  path,
  migrationsDir,
  busyTimeoutMs = 8000,
  durability = "process",
}: OpenOptions): DatabaseHandle => {
  let raw: Database | undefined
  try {
    assertOwnDatabase(path, busyTimeoutMs)
    createPrivateFile(path)
    raw = new Driver(path, { timeout: busyTimeoutMs })
    enableWal(raw, busyTimeoutMs)
    raw.pragma(`synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`)
    raw.pragma("foreign_keys = ON")
    migrate(raw, path, migrationsDir)
    ensureDiskReserve(path)
    return createHandle(path, raw, busyTimeoutMs)
  } catch (error) {
    raw?.close()
    throw toDatabaseError(error, path)
  }
}
