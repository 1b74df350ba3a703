import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { HighlightColor, NoteSource } from "../../../domain/notes.ts"
import { clips } from "./clips.ts"

/** Highlights and notes. Those of a clip are anchored by time, so that transcriptions and topic runs leave them alone. */
export const notes = sqliteTable(
  "notes",
  {
    id: text().primaryKey(),
    /** Null for a note of the library. */
    clipId: text("clip_id").references(() => clips.id, { onDelete: "cascade" }),
    /** The highlighted words. Null for a note without words. */
    startS: real("start_s"),
    endS: real("end_s"),
    /** The words in the transcript as it is now, and the ID of their speaker. */
    quote: text(),
    speaker: text(),
    color: text().$type<HighlightColor>(),
    text: text().notNull(),
    sources: text({ mode: "json" }).$type<readonly NoteSource[]>().notNull().default([]),
    /** The stems of text and quote, each between spaces, for searches. */
    stems: text().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** How often the note has changed. */
    version: integer().notNull().default(0),
  },
  (t) => [index("notes_newest").on(t.createdAt, t.id), index("notes_clip").on(t.clipId, t.createdAt)],
)
