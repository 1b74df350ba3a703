import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** The topic tree of a clip, flattened in the order of the tree. `hash` is that of the embedded text. */
export const topics = sqliteTable(
  "topics",
  {
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    ordinal: integer().notNull(),
    level: integer().notNull(),
    number: text().notNull(),
    title: text().notNull(),
    summary: text().notNull(),
    startS: real("start_s").notNull(),
    durationS: real("duration_s").notNull(),
    hash: text().notNull(),
    /** Who speaks longest in it; empty: nobody. Null: the words have not been looked at since they or the topics changed. */
    speaker: text(),
  },
  (t) => [primaryKey({ columns: [t.clipId, t.ordinal] }), index("topics_hash").on(t.hash)],
)
