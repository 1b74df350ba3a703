import type { Database } from "better-sqlite3"
import { AppError } from "../errors.ts"
import { codeOf } from "./errors.ts"

/** Waits between two looks at a lock that another process holds, in milliseconds: first and longest. */
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 20
/** So long others may be kept from the event loop by writes that follow each other. */
const AT_A_STRETCH_MS = 20

type Turn = { readonly run: () => void; readonly reject: (error: unknown) => void; readonly until: number }

const isLocked = (error: unknown): boolean =>
  AppError.is(error) && (codeOf(error.cause)?.startsWith("SQLITE_BUSY") ?? false)

/**
 * The writes of this process, in the order in which they were asked for. SQLite waits for a lock by sleeping, and the
 * whole process with it; here it is asked again by a timer, and what else there is to do goes on meanwhile. Whatever
 * has gathered by the time the lock is free is written in one go.
 * @param busyTimeoutMs how long one write waits before it fails with AppError `unavailable`; what is written outside
 * of turns goes on waiting in its sleep for as long
 */
export const openTurns = (raw: Database, busyTimeoutMs: number) => {
  const waiting: Turn[] = []
  let wait = 0
  let pause: NodeJS.Timeout | NodeJS.Immediate | undefined

  /** @returns false when another process holds the lock */
  const attempt = ({ run, reject, until }: Turn): boolean => {
    try {
      raw.pragma("busy_timeout = 0")
      run()
    } catch (error) {
      if (isLocked(error) && Date.now() < until) return false
      reject(error)
    } finally {
      if (raw.open) raw.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
    return true
  }
  const drain = (): void => {
    pause = undefined
    const yieldAt = Date.now() + AT_A_STRETCH_MS
    while (waiting[0]) {
      if (!attempt(waiting[0])) {
        wait = Math.min(Math.max(FIRST_WAIT_MS, wait * 2), LONGEST_WAIT_MS)
        pause = setTimeout(drain, wait)
        return
      }
      wait = 0
      waiting.shift()
      if (waiting.length > 0 && Date.now() > yieldAt) {
        pause = setImmediate(drain)
        return
      }
    }
  }

  /** Runs a function that makes one write transaction, at once if nothing is in the way; it may be run more than once. */
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({ run: () => resolve(work()), reject, until: Date.now() + busyTimeoutMs })
      if (pause === undefined && waiting.length === 1) drain()
    })
}
