import type { DatabaseHandle } from "../../storage/database/open.ts"
import { type RowsBrokerOptions, rowsBroker } from "../rows/broker.ts"
import type { Broker } from "../types.ts"
import { openQueue } from "./queue.ts"

/** The queue in the store's file, shared by every process of one machine. */
export const openSqliteBroker = (handle: DatabaseHandle, options: RowsBrokerOptions = {}): Broker =>
  rowsBroker("sqlite", openQueue(handle, options.now ?? Date.now), options)
