import type { Database } from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { codeOf } from "./errors.ts"

/** Delays between two attempts to get a lock that another process holds. They double from the first to the last. */
const MIN_RETRY_MS = 1
const MAX_RETRY_MS = 20
/** Queued writes give way to the event loop after this time. */
const MAX_BLOCKING_MS = 20

type QueuedWrite = {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  /** The time at which the write fails if the database is still locked. */
  readonly deadline: number
}

const isBusy = (error: unknown): boolean => codeOf(error)?.startsWith("SQLITE_BUSY") ?? false

const isFull = (error: unknown): boolean => AppError.is(error) && error.code === "storage_full"

/**
 * Queues this process's writes in call order. SQLite blocks the event loop while it waits for a lock, so the queue retries
 * on a timer instead. Once it has the lock, it commits all queued writes together (group commit), each in its own savepoint.
 * @param busyTimeoutMs how long a queued write waits before it fails with AppError `unavailable`. Writes outside the queue
 * block for up to this time.
 * @returns a function that queues a write
 */
export const createWriteQueue = (raw: Database, busyTimeoutMs: number) => {
  const queue: QueuedWrite[] = []
  let retryMs = 0
  /** The number of writes to commit one by one, because a group commit failed and the failing write is unknown. */
  let singleWrites = 0
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined

  /** Runs one write. Returns the number of settled writes, which is 0 if another process holds the lock. */
  const runOne = ({ work, resolve, reject, deadline }: QueuedWrite): number => {
    try {
      resolve(work() as never)
    } catch (error) {
      if (AppError.is(error) && isBusy(error.cause) && Date.now() < deadline) return 0
      reject(error)
    }
    singleWrites = Math.max(0, singleWrites - 1)
    return 1
  }

  /** Runs writes until `stopAt` in one commit. Returns the number of settled writes, which is 0 if the commit failed. */
  const runGroup = (stopAt: number): number => {
    const settle: (() => void)[] = []
    try {
      raw.exec("begin immediate")
      do {
        const { work, resolve, reject } = queue[settle.length]!
        try {
          const value = work() as never
          settle.push(() => resolve(value))
        } catch (error) {
          // A full disk rolls back the whole transaction. Only a single write can free space.
          if (!raw.inTransaction || isFull(error)) throw error
          settle.push(() => reject(error))
        }
      } while (settle.length < queue.length && Date.now() < stopAt)
      raw.exec("commit")
    } catch (error) {
      if (raw.inTransaction) raw.exec("rollback")
      if (!isBusy(error)) singleWrites = settle.length + 1
      return 0
    }
    for (const report of settle) report()
    return settle.length
  }

  const runNext = (stopAt: number): number => {
    const first = queue[0]!
    try {
      raw.pragma("busy_timeout = 0")
      // A write whose deadline has passed runs alone, so that it fails with its own error.
      const canGroup = queue.length > 1 && singleWrites === 0 && Date.now() < first.deadline
      return (canGroup && runGroup(stopAt)) || (!canGroup || singleWrites > 0 ? runOne(first) : 0)
    } catch (error) {
      // The connection is closed.
      first.reject(error)
      return 1
    } finally {
      if (raw.open) raw.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
  }

  const drain = (): void => {
    timer = undefined
    const stopAt = Date.now() + MAX_BLOCKING_MS
    while (queue.length > 0) {
      const settled = runNext(stopAt)
      if (settled === 0) {
        retryMs = Math.min(Math.max(MIN_RETRY_MS, retryMs * 2), MAX_RETRY_MS)
        timer = setTimeout(drain, retryMs)
        return
      }
      retryMs = 0
      queue.splice(0, settled)
      if (queue.length > 0 && Date.now() >= stopAt) {
        timer = setImmediate(drain)
        return
      }
    }
  }

  /** Queues a function with one write transaction. It runs immediately if nothing is queued, and may run more than once. */
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve, reject, deadline: Date.now() + busyTimeoutMs })
      if (timer === undefined && queue.length === 1) drain()
    })
}
