import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** What people wrote over the topics of a clip, anchored by time: no run of the pipeline touches it. Times in seconds. */
export const topicEdits = sqliteTable(
  "topic_edits",
  {
    id: text().primaryKey(),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    kind: text({ enum: ["text", "border"] }).notNull(),
    /** Text: level, start and end of the topic, its title and summary; null: as the run has it. */
    level: integer(),
    startS: real("start_s"),
    endS: real("end_s"),
    title: text(),
    summary: text(),
    /** Border: where the run had it, and where it was put. */
    fromS: real("from_s"),
    toS: real("to_s"),
    editedAt: integer("edited_at").notNull(),
  },
  (t) => [index("topic_edits_clip").on(t.clipId, t.editedAt)],
)
