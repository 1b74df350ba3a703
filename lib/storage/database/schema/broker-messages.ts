import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"

/** The embedded queue: a row is a message that waits, is in hand (`visible_at` ahead, `receipt` set) or is dead. */
export const brokerMessages = sqliteTable(
  "broker_messages",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    body: text().notNull(),
    visibleAt: integer("visible_at").notNull(),
    deliveries: integer().notNull().default(0),
    /** Proof of the delivery in hand: only its holder may settle or extend it. */
    receipt: text(),
    deadAt: integer("dead_at"),
    deadReason: text("dead_reason"),
  },
  (t) => [index("broker_messages_due").on(t.stage, t.visibleAt, t.seq).where(sql`${t.deadAt} is null`)],
)
