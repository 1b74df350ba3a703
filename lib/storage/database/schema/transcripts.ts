import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import { clips } from "./clips.ts"
import { jobs } from "./jobs.ts"

/** The words of a clip as JSON. Apart from the clip, because rewriting one of its columns would copy all of them. */
export const transcripts = sqliteTable("transcripts", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  words: text().notNull(),
  /** As the engine heard them; null while nobody has corrected anything and `words` is that. */
  heard: text(),
})

/** What people corrected, in order. `transcripts.words` are the heard words with all of these applied. */
export const wordEdits = sqliteTable(
  "word_edits",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    at: integer().notNull(),
    edit: text({ mode: "json" }).$type<WordEdit>().notNull(),
  },
  (t) => [index("word_edits_clip").on(t.clipId, t.id)],
)

/** The words that came with a submission, as JSON, until whisper's completion makes them the clip's. */
export const givenTranscripts = sqliteTable("given_transcripts", {
  jobId: text("job_id")
    .primaryKey()
    .references(() => jobs.id, { onDelete: "cascade" }),
  words: text().notNull(),
})
