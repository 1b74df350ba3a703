import pg from "pg"
import { messageOf } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { CLIENT_SETTINGS } from "./client-timeouts.ts"

const CHANNEL = "earmark"
const RECONNECT_MS = 2_000

/** Notifies of rows that any process inserted into a table. */
export type Listener = {
  /** Calls `wake` after inserts into the table. Returns a function that unsubscribes. */
  on(table: string, wake: () => void): () => void
  close(): Promise<void>
}

/**
 * Creates a listener with one connection, which is opened on the first subscription and reopened if it breaks.
 * Notifications are lost in between, so subscribers must also poll.
 */
export const listen = (url: string, log: Pick<Logger, "warn">): Listener => {
  const subscriptions = new Map<() => void, string>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const reconnect = (): void => {
    const broken = client
    client = undefined
    broken?.removeAllListeners()
    broken?.on("error", () => undefined)
    broken?.end().catch(() => undefined)
    clearTimeout(timer)
    if (!closed) timer = setTimeout(connect, RECONNECT_MS).unref()
  }
  const connect = (): void => {
    if (closed || client) return
    const opening = new pg.Client({ ...CLIENT_SETTINGS, connectionString: url, application_name: "earmark listener" })
    client = opening
    opening.on("notification", ({ payload }) => {
      for (const [wake, table] of subscriptions) if (table === payload) wake()
    })
    opening.on("end", reconnect)
    opening.on("error", reconnect)
    opening
      .connect()
      .then(() => opening.query(`listen ${CHANNEL}`))
      .catch((error: unknown) => {
        if (!closed) log.warn({ error: messageOf(error) }, "Couldn't listen for PostgreSQL notifications; retrying")
        if (client === opening) reconnect()
      })
  }

  return {
    on: (table, wake) => {
      // A new function per subscription, so that a callback that subscribes twice is called twice.
      const own = () => wake()
      subscriptions.set(own, table)
      connect()
      return () => void subscriptions.delete(own)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      client?.removeAllListeners()
      client?.on("error", () => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}
