import type { Database } from "better-sqlite3"

/** How soon a change is noticed. One check takes a few microseconds. */
const CHECK_INTERVAL_MS = 50

/** Notifies of commits to the database, because SQLite sends no notifications. */
export type Changes = {
  /** Calls `wake` soon after a commit of this process or another. Returns a function that unsubscribes. */
  on(wake: () => void): () => void
  close(): void
}

/** Checks for changes while there are subscriptions. `data_version` counts commits of other connections, `total_changes()` own ones. */
export const watchChanges = (raw: Database): Changes => {
  const subscriptions = new Set<() => void>()
  const readOthers = raw.prepare("pragma data_version").pluck()
  const readOwn = raw.prepare("select total_changes()").pluck()
  let timer: NodeJS.Timeout | undefined
  let last = ""

  /** Returns a text that differs after every change, or the last one if the database cannot be read. Subscribers also poll. */
  const readVersion = (): string => {
    try {
      return `${readOthers.get()} ${readOwn.get()}`
    } catch {
      return last
    }
  }
  const check = (): void => {
    const version = readVersion()
    if (version === last) return
    last = version
    for (const wake of subscriptions) wake()
  }
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    on: (wake) => {
      // A new function per subscription, so that a callback that subscribes twice is called twice.
      const own = () => wake()
      subscriptions.add(own)
      if (timer === undefined) {
        last = readVersion()
        timer = setInterval(check, CHECK_INTERVAL_MS)
      }
      return () => {
        subscriptions.delete(own)
        if (subscriptions.size === 0) stop()
      }
    },
    close: stop,
  }
}
