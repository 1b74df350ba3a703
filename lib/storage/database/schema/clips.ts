import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import { jobs } from "./jobs.ts"

/** Recordings. The ID is the session ID. After creation, each column is written by one owner only. */
export const clips = sqliteTable(
  "clips",
  {
    id: text().primaryKey(),
    // Written when the clip is created.
    title: text().notNull(),
    sourceUrl: text("source_url"),
    filePath: text("file_path"),
    createdAt: integer("created_at").notNull(),
    // Written by users.
    speakers: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    favorite: integer({ mode: "boolean" }).notNull().default(false),
    // Written by the whisper stage, together with the row of `transcripts`.
    durationS: real("duration_s").notNull().default(0),
    language: text(),
    /** The number of speakers. Word edits change it. */
    voices: integer().notNull().default(0),
    speechEngine: text("speech_engine"),
    whisperModel: text("whisper_model"),
    channel: text(),
    publishedAt: integer("published_at"),
    diarized: integer({ mode: "boolean" }),
    estimatedTimes: integer("estimated_times", { mode: "boolean" }),
    transcriptNotes: text("transcript_notes", { mode: "json" }).$type<string[]>().notNull().default([]),
    // Written by the persist stage, together with the rows of `topics`.
    provider: text(),
    llmModel: text("llm_model"),
    embedModel: text("embed_model"),
    tree: text({ mode: "json" }).$type<TopicTree>(),
  },
  (t) => [
    index("clips_newest").on(t.createdAt, t.id),
    index("clips_language").on(t.language, t.createdAt, t.id),
    index("clips_duration").on(t.durationS, t.id),
  ],
)

/** The tags of clips. `key` is the name in small letters: names with the same key are the same tag. */
export const clipTags = sqliteTable(
  "clip_tags",
  {
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    key: text().notNull(),
    name: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.clipId, t.key] }), index("clip_tags_key").on(t.key, t.clipId)],
)

/** The words of a clip as JSON. A separate table, because updating any column of `clips` would copy the words too. */
export const transcripts = sqliteTable("transcripts", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  words: text().notNull(),
  /** The words as the speech engine returned them. Null if there are no word edits, because `words` is the same then. */
  heard: text(),
})

/** Word edits, oldest first. `transcripts.words` contains the original words with all edits applied. */
export const wordEdits = sqliteTable(
  "word_edits",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    at: integer().notNull(),
    edit: text({ mode: "json" }).$type<WordEdit>().notNull(),
    /** The replacement that made the edit. */
    replacementId: text("replacement_id"),
  },
  (t) => [index("word_edits_clip").on(t.clipId, t.id), index("word_edits_replacement").on(t.replacementId)],
)

/** A transcript that was submitted with a job, as JSON. The whisper stage copies it to the clip when it completes. */
export const givenTranscripts = sqliteTable("given_transcripts", {
  jobId: text("job_id")
    .primaryKey()
    .references(() => jobs.id, { onDelete: "cascade" }),
  words: text().notNull(),
})

/** The loudness of a recording, one byte per time slice. `stamp` identifies the file that it was computed from. */
export const waveforms = sqliteTable("waveforms", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  stamp: text().notNull(),
  durationS: real("duration_s").notNull(),
  peaks: blob({ mode: "buffer" }).notNull(),
})

/**
 * The search index of the library: one row per title, topic and segment of speech. A search adds missing rows. Triggers
 * of a custom migration delete the rows of a clip that changes and maintain the full-text table `findable_fts`.
 */
export const findables = sqliteTable(
  "findables",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    kind: text({ enum: ["title", "topic", "words"] }).notNull(),
    text: text().notNull(),
    /** The number of a topic, such as `1.2`. */
    number: text(),
    /** For speech, the start of each word in seconds, as JSON. */
    starts: text({ mode: "json" }).$type<readonly number[]>(),
    speaker: text(),
    startS: real("start_s").notNull(),
    /** For speech, how long it lasts. */
    seconds: real().notNull().default(0),
    /** The indexed text: stems separated by spaces, computed by the program as for every other index. */
    stems: text().notNull().default(""),
  },
  // Covers the sums of the seconds that speakers speak.
  (t) => [index("findables_clip").on(t.clipId, t.kind, t.speaker, t.seconds)],
)
