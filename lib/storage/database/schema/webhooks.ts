import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { WEBHOOK_EVENTS } from "../../../domain/constants.ts"
import type { EventPayload, WebhookEvent } from "../../../domain/webhooks.ts"
import { jobs } from "./jobs.ts"

/** Addresses that are told about events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    url: text().notNull(),
    events: text({ mode: "json" }).$type<readonly WebhookEvent[]>().notNull(),
    description: text().notNull(),
    /** Not a hash, because it signs each request. */
    secret: text().notNull(),
    /** Set for the `webhook_url` of a job. It is told about that job only. */
    jobId: text("job_id").references(() => jobs.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    lastSuccessAt: integer("last_success_at"),
    disabledAt: integer("disabled_at"),
    disabledReason: text("disabled_reason"),
  },
  (t) => [index("webhooks_job").on(t.jobId)],
)

/**
 * Events to send, one row per event and webhook, written in the transaction of the change. The rows stay as the log of
 * deliveries.
 */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    type: text({ enum: WEBHOOK_EVENTS }).notNull(),
    /** Events of one clip are sent in the order of `seq`. */
    clipId: text("clip_id").notNull(),
    payload: text({ mode: "json" }).$type<EventPayload>().notNull(),
    state: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    /** How often the event was sent since it happened, or since it was requested again. */
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    nextAttemptAt: integer("next_attempt_at").notNull(),
    /** No attempt is made after this time. */
    retryUntil: integer("retry_until").notNull(),
    owner: text(),
    leaseUntil: integer("lease_until"),
    endedAt: integer("ended_at"),
    responseStatus: integer("response_status"),
    error: text(),
  },
  (t) => [
    index("webhook_deliveries_due").on(t.nextAttemptAt, t.seq).where(sql`${t.state} = 'pending'`),
    index("webhook_deliveries_order").on(t.webhookId, t.clipId, t.seq).where(sql`${t.state} = 'pending'`),
    index("webhook_deliveries_newest").on(t.webhookId, t.createdAt, t.id),
    index("webhook_deliveries_ended").on(t.endedAt),
  ],
)
