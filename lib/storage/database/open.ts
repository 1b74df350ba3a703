import { closeSync, openSync } from "node:fs"
import { dirname } from "node:path"
import Driver, { type Database } from "better-sqlite3"
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3"
import { makeFolder } from "../../platform/files/folder.ts"
import { ensureDiskReserve } from "./disk-reserve.ts"
import { codeOf, databaseError } from "./errors.ts"
import { migrate } from "./migrate.ts"
import { assertOwnDatabase } from "./owner.ts"
import { withStatementCache } from "./statement-cache.ts"
import { createWriteQueue } from "./write-queue.ts"

/** An open, migrated database. Adapters of one process may share it; whoever opened it closes it. */
export type DatabaseHandle = {
  readonly path: string
  readonly raw: Database
  readonly db: BetterSQLite3Database
  readonly busyTimeoutMs: number
  /** Runs a write transaction in its turn, without stopping this process while another one writes. */
  readonly turn: ReturnType<typeof createWriteQueue>
  /** May be called more than once. */
  close(): void
}

export type OpenOptions = {
  /** The database file; it and its folder are made when they do not exist. */
  readonly path: string
  /** The folder of the generated migrations. */
  readonly migrationsDir: string
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly busyTimeoutMs?: number
}

const WAL_RETRY_MS = 20
const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Switching to WAL fails at once, without the busy time-out, while another process does the same. */
const enterWal = (raw: Database, busyTimeoutMs: number) => {
  for (const deadline = Date.now() + busyTimeoutMs; ; pause(WAL_RETRY_MS)) {
    try {
      raw.pragma("journal_mode = WAL")
      return
    } catch (error) {
      if (!codeOf(error)?.startsWith("SQLITE_BUSY") || Date.now() > deadline) throw error
    }
  }
}

/** What people said is for this user alone; the journal takes its mode from the database. A file that is there keeps its own. */
const makeFile = (path: string): void => {
  makeFolder(dirname(path))
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** What works on a connection that is open. */
export const handleOf = (path: string, raw: Database, busyTimeoutMs: number): DatabaseHandle => ({
  path,
  raw,
  db: drizzle({ client: withStatementCache(raw) }),
  busyTimeoutMs,
  turn: createWriteQueue(raw, busyTimeoutMs),
  close: () => void raw.close(),
})

/**
 * Opens the database for this process and migrates it; safe to call from many processes at once.
 * @throws AppError `unavailable` or `storage_full` with a sentence: locked, full, damaged, not writable, newer, foreign.
 */
export const openDatabase = ({ path, migrationsDir, busyTimeoutMs = 8000 }: OpenOptions): DatabaseHandle => {
  let raw: Database | undefined
  try {
    assertOwnDatabase(path, busyTimeoutMs)
    makeFile(path)
    raw = new Driver(path, { timeout: busyTimeoutMs })
    enterWal(raw, busyTimeoutMs)
    raw.pragma("synchronous = NORMAL")
    raw.pragma("foreign_keys = ON")
    migrate(raw, path, migrationsDir)
    ensureDiskReserve(path)
    return handleOf(path, raw, busyTimeoutMs)
  } catch (error) {
    raw?.close()
    throw databaseError(error, path)
  }
}
