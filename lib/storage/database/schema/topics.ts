import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { TopicSettings } from "../../../domain/jobs/jobs.ts"
import type { StoredStructureEdit, StoredTopicEdit } from "../../../domain/topics/topic-edits.ts"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import { clips } from "./clips.ts"

/** The topic tree of a clip with its edits applied, flattened in tree order. `hash` is the hash of the embedded text. */
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
    /**
     * The speaker who speaks longest in the topic. Empty if nobody speaks. Null if it must be computed, because the words
     * or topics have changed.
     */
    speaker: text(),
    /** The hash of the words that are spoken in the topic, in `topic_speech`. Null if it must be computed, like `speaker`. */
    speechHash: text("speech_hash"),
  },
  (t) => [
    primaryKey({ columns: [t.clipId, t.ordinal] }),
    index("topics_hash").on(t.hash),
    index("topics_speech").on(t.speechHash),
  ],
)

/** The trees of the topic runs of a clip, without topic edits. The newest is also in `clips.tree`. */
export const topicRuns = sqliteTable(
  "topic_runs",
  {
    /** The ID of the job, if a job made the run. */
    id: text().primaryKey(),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    provider: text(),
    llmModel: text("llm_model"),
    /** Null if unknown. */
    settings: text({ mode: "json" }).$type<TopicSettings>(),
    tree: text({ mode: "json" }).$type<TopicTree>().notNull(),
  },
  (t) => [index("topic_runs_newest").on(t.clipId, t.createdAt, t.id)],
)

/** Topic edits of a clip, anchored by time in seconds. The pipeline never changes them. */
export const topicEdits = sqliteTable(
  "topic_edits",
  {
    id: text().primaryKey(),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    kind: text({ enum: ["text", "border", "structure"] }).notNull(),
    // For kind `text`: the topic's level, start and end, and the new title and summary. Null leaves the text unchanged.
    level: integer(),
    startS: real("start_s"),
    endS: real("end_s"),
    title: text(),
    summary: text(),
    // For kind `border` (a moved boundary): its time in the topic run, and the new time.
    fromS: real("from_s"),
    toS: real("to_s"),
    // For kind `structure`: the boundary in `from_s`, its time now in `to_s`, its level, the boundaries beside it and texts.
    afterS: real("after_s"),
    beforeS: real("before_s"),
    labels: text({ mode: "json" }).$type<StoredStructureEdit["labels"]>(),
    editedAt: integer("edited_at").notNull(),
  },
  (t) => [index("topic_edits_clip").on(t.clipId, t.editedAt)],
)

/** The last changes of the topic edits of a clip, oldest first, so that they can be undone and made again. */
export const topicEditSteps = sqliteTable(
  "topic_edit_steps",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    /** The edits that the change removed or replaced. */
    removed: text({ mode: "json" }).$type<readonly StoredTopicEdit[]>().notNull(),
    /** The edits that it added, or their new versions. */
    added: text({ mode: "json" }).$type<readonly StoredTopicEdit[]>().notNull(),
    isUndone: integer("is_undone", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [index("topic_edit_steps_clip").on(t.clipId, t.id)],
)
