import pg from "pg"
import { messageOf } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { CLIENT_TIMEOUTS } from "./client-timeouts.ts"

const CHANNEL = "earmark"
const AGAIN_MS = 2_000

/** Tells of rows that any process wrote into a table, as soon as they are there. */
export type Listener = {
  /** @returns what ends it */
  on(table: string, wake: () => void): () => void
  close(): Promise<void>
}

/**
 * One connection that listens, opened when somebody wants to know and opened again when it breaks. A word may be missed
 * meanwhile: whoever listens also looks by itself now and then.
 */
export const listen = (url: string, log: Pick<Logger, "warn">): Listener => {
  const waking = new Map<() => void, string>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const again = (): void => {
    const broken = client
    client = undefined
    broken?.removeAllListeners()
    broken?.on("error", () => undefined)
    broken?.end().catch(() => undefined)
    clearTimeout(timer)
    if (!closed) timer = setTimeout(connect, AGAIN_MS).unref()
  }
  const connect = (): void => {
    if (closed || client) return
    const opening = new pg.Client({ ...CLIENT_TIMEOUTS, connectionString: url, application_name: "earmark listener" })
    client = opening
    opening.on("notification", ({ payload }) => {
      for (const [wake, table] of waking) if (table === payload) wake()
    })
    opening.on("end", again)
    opening.on("error", again)
    opening
      .connect()
      .then(() => opening.query(`listen ${CHANNEL}`))
      .catch((error: unknown) => {
        if (!closed) log.warn({ error: messageOf(error) }, "PostgreSQL cannot be listened to; asked again and again")
        if (client === opening) again()
      })
  }

  return {
    on: (table, wake) => {
      // A function of its own for each, so that one that listens twice is told twice.
      const own = () => wake()
      waking.set(own, table)
      connect()
      return () => void waking.delete(own)
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
