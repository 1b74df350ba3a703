import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { StoredLine, SummaryOptions } from "../../../domain/summaries.ts"
import type { SummaryKind } from "../../../domain/summary-templates.ts"
import { clips } from "./clips.ts"

/** Own templates of summaries. A row with the ID of a template of Earmark only says whether it runs after jobs. */
export const summaryTemplates = sqliteTable("summary_templates", {
  id: text().primaryKey(),
  name: text().notNull(),
  /** The name in small letters. */
  key: text().notNull().unique(),
  /** Null for a template of Earmark. */
  prompt: text(),
  afterJobs: integer("after_jobs", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  /** How often the prompt has changed. */
  version: integer().notNull().default(0),
})

/** Summaries of clips, one per template. Also the queue of those to be made: a worker claims a row with a lease. */
export const clipSummaries = sqliteTable(
  "clip_summaries",
  {
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    templateId: text("template_id").notNull(),
    // What was requested last.
    name: text().notNull(),
    kind: text().$type<SummaryKind>().notNull(),
    prompt: text(),
    options: text({ mode: "json" }).$type<SummaryOptions>().notNull(),
    templateVersion: integer("template_version").notNull(),
    queuedAt: integer("queued_at").notNull(),
    state: text({ enum: ["queued", "running", "done", "error"] }).notNull(),
    error: text(),
    // The current attempt.
    owner: text(),
    /** Counts all attempts. With the owner it tells whether a claim still holds. */
    attempt: integer().notNull().default(0),
    /** Attempts since it was requested. */
    tries: integer().notNull().default(0),
    notBefore: integer("not_before").notNull(),
    leaseUntil: integer("lease_until"),
    progress: text({ mode: "json" }).$type<{ readonly done: number; readonly total: number }>(),
    // The last result, with the versions of what it was made from.
    lines: text({ mode: "json" }).$type<readonly StoredLine[]>().notNull().default([]),
    dropped: integer().notNull().default(0),
    provider: text(),
    model: text(),
    madeWith: text("made_with", { mode: "json" }).$type<{
      readonly transcript: number
      readonly topics: number
      readonly template: number
    }>(),
    finishedAt: integer("finished_at"),
  },
  (t) => [primaryKey({ columns: [t.clipId, t.templateId] }), index("clip_summaries_due").on(t.state, t.notBefore)],
)
