import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import { jobs } from "./jobs.ts"

/** Messages written in the transaction that makes them true; a relay hands them to the broker. */
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
    /** How often it was published again because nobody took it up. */
    resends: integer().notNull().default(0),
  },
  (t) => [
    index("outbox_due").on(t.availableAt, t.seq).where(sql`${t.publishedAt} is null`),
    index("outbox_published").on(t.publishedAt).where(sql`${t.publishedAt} is not null`),
    index("outbox_job").on(t.jobId, t.stage),
  ],
)
