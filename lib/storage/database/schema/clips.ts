import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"

/** One recording; the id is its session id. Each column has one owner, and only its owner writes it after creation. */
export const clips = sqliteTable("clips", {
  id: text().primaryKey(),
  // Set by whoever creates the clip first.
  title: text().notNull(),
  sourceUrl: text("source_url"),
  filePath: text("file_path"),
  createdAt: integer("created_at").notNull(),
  // Written by people.
  speakers: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
  // Written by whisper, together with the row of `transcripts`.
  durationS: real("duration_s").notNull().default(0),
  language: text(),
  /** How many voices speak; changes with what people correct. */
  voices: integer().notNull().default(0),
  speechEngine: text("speech_engine"),
  whisperModel: text("whisper_model"),
  channel: text(),
  publishedAt: integer("published_at"),
  diarized: integer({ mode: "boolean" }),
  estimatedTimes: integer("estimated_times", { mode: "boolean" }),
  transcriptNotes: text("transcript_notes", { mode: "json" }).$type<string[]>().notNull().default([]),
  // Written by persist, together with the rows of `topics`.
  provider: text(),
  llmModel: text("llm_model"),
  embedModel: text("embed_model"),
  tree: text({ mode: "json" }).$type<TopicTree>(),
})
