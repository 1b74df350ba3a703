import type { PostgresHandle } from "../../storage/database/postgres/open.ts"
import { createRowsBroker, type RowsBrokerOptions } from "../rows/broker.ts"
import type { Broker } from "../types.ts"
import { openQueue } from "./queue.ts"

/** Opens the queue in the store's PostgreSQL database, shared by all processes of all hosts. */
export const openPostgresBroker = (
  handle: PostgresHandle,
  options: Pick<RowsBrokerOptions, "pollMs" | "visibilityMs"> = {},
): Broker => createRowsBroker("postgres", openQueue(handle), options)
