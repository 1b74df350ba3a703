import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { StoredResponse } from "../../../domain/idempotency.ts"

/** The idempotency keys of requests, with the responses of those that succeeded. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    key: text().primaryKey(),
    fingerprint: text().notNull(),
    operationId: text("operation_id").notNull(),
    /** The request that runs. Null if none does. */
    owner: text(),
    leaseUntil: integer("lease_until").notNull(),
    response: text({ mode: "json" }).$type<StoredResponse>(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("idempotency_keys_oldest").on(t.createdAt)],
)
