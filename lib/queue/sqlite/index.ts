import type { DatabaseHandle } from "../../storage/database/open.ts"
import { createRowsBroker, type RowsBrokerOptions } from "../rows/broker.ts"
import type { Broker } from "../types.ts"
import { openQueue } from "./queue.ts"

/** Opens the queue in the store's SQLite file, shared by all processes of one host. */
export const openSqliteBroker = (handle: DatabaseHandle, options: RowsBrokerOptions = {}): Broker =>
  createRowsBroker("sqlite", openQueue(handle, options.now ?? Date.now), options)
