import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { JobOptions, JobProgress } from "../../../domain/jobs/jobs.ts"
import type { TraceContext } from "../../../domain/jobs/stages.ts"
import { JOB_STATES, STAGE_NAMES } from "../../../domain/jobs/stages.ts"

/** Where the recording comes from, as told at submission. */
type Source =
  | { kind: "file"; path: string }
  | { kind: "upload"; path: string; name: string }
  | { kind: "youtube" | "url"; url: string }

/** One run of the pipeline for one clip. Kept small: it is rewritten with every progress report. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    sessionId: text("session_id").notNull(),
    /** Set when the source turned out to be another recording; never equal to `session_id`. */
    resultSessionId: text("result_session_id"),
    title: text().notNull(),
    source: text({ mode: "json" }).$type<Source>().notNull(),
    options: text({ mode: "json" }).$type<JobOptions>().notNull(),
    status: text({ enum: JOB_STATES }).notNull(),
    attempts: integer().notNull().default(1),
    progress: text({ mode: "json" }).$type<JobProgress>(),
    errorStage: text("error_stage", { enum: STAGE_NAMES }),
    errorDetail: text("error_detail"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** The trace of the request that began this run. */
    trace: text({ mode: "json" }).$type<TraceContext>(),
  },
  (t) => [index("jobs_newest").on(t.createdAt, t.id), index("jobs_status_newest").on(t.status, t.createdAt, t.id)],
)
