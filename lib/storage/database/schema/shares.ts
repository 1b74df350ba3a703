import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** Share links. The secret is stored as it is, so that a link can be copied again: it opens nothing but data of this database. */
export const shares = sqliteTable(
  "shares",
  {
    id: text().primaryKey(),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    secret: text().notNull().unique(),
    /** The shared time range. Null for the whole recording. */
    startS: real("start_s"),
    endS: real("end_s"),
    withAudio: integer("with_audio", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    /** Written at most once a minute. */
    lastOpenedAt: integer("last_opened_at"),
  },
  (t) => [index("shares_clip").on(t.clipId, t.createdAt)],
)
