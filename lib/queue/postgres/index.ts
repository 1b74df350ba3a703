import type { PostgresHandle } from "../../storage/database/postgres/open.ts"
import { type RowsBrokerOptions, rowsBroker } from "../rows/broker.ts"
import type { Broker } from "../types.ts"
import { openQueue } from "./queue.ts"

/** Only what was put off, or whose word was missed, waits for a look: the database tells of what is new. */
const POLL_MS = 500

/** The queue in the store's PostgreSQL, shared by every process of every host. */
export const openPostgresBroker = (
  handle: PostgresHandle,
  options: Pick<RowsBrokerOptions, "pollMs" | "visibilityMs"> = {},
): Broker => rowsBroker("postgres", openQueue(handle), { pollMs: POLL_MS, ...options })
