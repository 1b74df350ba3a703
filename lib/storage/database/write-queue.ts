import type { Database } from "better-sqlite3"
import { AppError } from "../../domain/errors.ts"
import { codeOf } from "./errors.ts"

/** Waits between two looks at a lock that another process holds, in milliseconds: first and longest. */
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 20
/** So long others may be kept from the event loop by writes that follow each other. */
const AT_A_STRETCH_MS = 20

type Turn = {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly until: number
}

const isBusy = (error: unknown): boolean => codeOf(error)?.startsWith("SQLITE_BUSY") ?? false

const isFull = (error: unknown): boolean => AppError.is(error) && error.code === "storage_full"

/**
 * The writes of this process, in the order in which they were asked for. SQLite waits for a lock by sleeping, and the
 * whole process with it; here it is asked again by a timer, and what else there is to do goes on meanwhile. What has
 * gathered by then is written under one lock and one commit (a group commit), each write in a savepoint of its own.
 * @param busyTimeoutMs how long one write waits before it fails with AppError `unavailable`; what is written outside
 * of turns goes on waiting in its sleep for as long
 */
export const createWriteQueue = (raw: Database, busyTimeoutMs: number) => {
  const waiting: Turn[] = []
  let wait = 0
  /** So many are written each by itself: a commit of several has failed, and which of them spoils it is not known. */
  let apart = 0
  let pause: NodeJS.Timeout | NodeJS.Immediate | undefined

  /** Writes the first by itself. @returns how many are done with: none when another process holds the lock */
  const one = ({ work, resolve, reject, until }: Turn): number => {
    try {
      resolve(work() as never)
    } catch (error) {
      if (AppError.is(error) && isBusy(error.cause) && Date.now() < until) return 0
      reject(error)
    }
    apart = Math.max(0, apart - 1)
    return 1
  }

  /** Writes the first few together. @returns how many are done with */
  const several = (stopAt: number): number => {
    const told: (() => void)[] = []
    try {
      raw.exec("begin immediate")
      do {
        const { work, resolve, reject } = waiting[told.length]!
        try {
          const value = work() as never
          told.push(() => resolve(value))
        } catch (error) {
          // A full disk takes the whole transaction back, and room is made only for one that is by itself.
          if (!raw.inTransaction || isFull(error)) throw error
          told.push(() => reject(error))
        }
      } while (told.length < waiting.length && Date.now() < stopAt)
      raw.exec("commit")
    } catch (error) {
      if (raw.inTransaction) raw.exec("rollback")
      if (!isBusy(error)) apart = told.length + 1
      return 0
    }
    for (const tell of told) tell()
    return told.length
  }

  const attempt = (stopAt: number): number => {
    const first = waiting[0]!
    try {
      raw.pragma("busy_timeout = 0")
      // One whose time is up says so itself.
      const together = waiting.length > 1 && apart === 0 && Date.now() < first.until
      return (together && several(stopAt)) || (!together || apart > 0 ? one(first) : 0)
    } catch (error) {
      // The connection is closed.
      first.reject(error)
      return 1
    } finally {
      if (raw.open) raw.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
  }

  const drain = (): void => {
    pause = undefined
    const stopAt = Date.now() + AT_A_STRETCH_MS
    while (waiting.length > 0) {
      const done = attempt(stopAt)
      if (done === 0) {
        wait = Math.min(Math.max(FIRST_WAIT_MS, wait * 2), LONGEST_WAIT_MS)
        pause = setTimeout(drain, wait)
        return
      }
      wait = 0
      waiting.splice(0, done)
      if (waiting.length > 0 && Date.now() >= stopAt) {
        pause = setImmediate(drain)
        return
      }
    }
  }

  /** Runs a function that makes one write transaction, at once if nothing is in the way; it may be run more than once. */
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject, until: Date.now() + busyTimeoutMs })
      if (pause === undefined && waiting.length === 1) drain()
    })
}
