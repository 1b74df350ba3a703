import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import { jobs } from "./jobs.ts"

/** Messages that are written in the transaction that causes them. The relay publishes them to the broker. */
export const outbox = sqliteTable(
  "outbox",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    body: text().notNull(),
    availableAt: integer("available_at").notNull(),
    publishedAt: integer("published_at"),
    /** How often the message was published again because no worker had claimed its stage. */
    resends: integer().notNull().default(0),
  },
  (t) => [
    index("outbox_due").on(t.availableAt, t.seq).where(sql`${t.publishedAt} is null`),
    index("outbox_published").on(t.publishedAt).where(sql`${t.publishedAt} is not null`),
    index("outbox_job").on(t.jobId, t.stage),
  ],
)

/**
 * The messages of the embedded broker. A message is waiting, in flight (`receipt` is set and `visible_at` is in the
 * future) or dead.
 */
export const brokerMessages = sqliteTable(
  "broker_messages",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    body: text().notNull(),
    visibleAt: integer("visible_at").notNull(),
    deliveries: integer().notNull().default(0),
    /** Identifies the delivery in flight. Only its consumer can settle or extend it. */
    receipt: text(),
    deadAt: integer("dead_at"),
    deadReason: text("dead_reason"),
  },
  (t) => [index("broker_messages_due").on(t.stage, t.visibleAt, t.seq).where(sql`${t.deadAt} is null`)],
)
