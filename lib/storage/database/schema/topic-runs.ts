import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { TopicSettings } from "../../../domain/jobs/jobs.ts"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import { clips } from "./clips.ts"

/** The trees that runs made of a clip, without what people wrote over them. The newest is the clip's own. */
export const topicRuns = sqliteTable(
  "topic_runs",
  {
    /** The job's id, where a job made it. */
    id: text().primaryKey(),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    provider: text(),
    llmModel: text("llm_model"),
    /** Null: not known. */
    settings: text({ mode: "json" }).$type<TopicSettings>(),
    tree: text({ mode: "json" }).$type<TopicTree>().notNull(),
  },
  (t) => [index("topic_runs_newest").on(t.clipId, t.createdAt, t.id)],
)
