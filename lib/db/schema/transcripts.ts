import { sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"
import { jobs } from "./jobs.ts"

/** The words of a clip as JSON. Apart from the clip, because rewriting one of its columns would copy all of them. */
export const transcripts = sqliteTable("transcripts", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  words: text().notNull(),
})

/** The words that came with a submission, as JSON, until whisper's completion makes them the clip's. */
export const givenTranscripts = sqliteTable("given_transcripts", {
  jobId: text("job_id")
    .primaryKey()
    .references(() => jobs.id, { onDelete: "cascade" }),
  words: text().notNull(),
})
