import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { JobProgress, StoredJobOptions } from "../../../domain/jobs/jobs.ts"
import type { LiveWord } from "../../../domain/jobs/live-words.ts"
import type { SourceRef } from "../../../domain/jobs/source.ts"
import {
  JOB_STATES,
  STAGE_NAMES,
  STAGE_STATES,
  type StageName,
  type TraceContext,
} from "../../../domain/jobs/stages.ts"

/** One request through the pipeline, for one clip. Rows are small, because every progress report rewrites them. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    sessionId: text("session_id").notNull(),
    /** Set if the source turned out to be another recording. Never equal to `session_id`. */
    resultSessionId: text("result_session_id"),
    title: text().notNull(),
    source: text({ mode: "json" }).$type<SourceRef>().notNull(),
    options: text({ mode: "json" }).$type<StoredJobOptions>().notNull(),
    status: text({ enum: JOB_STATES }).notNull(),
    attempts: integer().notNull().default(1),
    progress: text({ mode: "json" }).$type<JobProgress>(),
    errorStage: text("error_stage", { enum: STAGE_NAMES }),
    errorDetail: text("error_detail"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** The trace of the request that submitted or retried the job. */
    trace: text({ mode: "json" }).$type<TraceContext>(),
  },
  (t) => [index("jobs_newest").on(t.createdAt, t.id), index("jobs_status_newest").on(t.status, t.createdAt, t.id)],
)

/** One stage of one job. A stage writes only its own row, so that parallel branches never overwrite each other. */
export const jobStages = sqliteTable(
  "job_stages",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    state: text({ enum: STAGE_STATES }).notNull(),
    // The stage graph of the job.
    next: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
    joins: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
    maxAttempts: integer("max_attempts").notNull(),
    /** How often the stage was started. Serves as the fencing token and therefore never decreases. */
    attempt: integer().notNull().default(0),
    /** Attempts counted since the job was submitted or last retried. */
    tries: integer().notNull().default(0),
    /** Messages written for this stage. Makes their IDs unique. */
    messages: integer().notNull().default(0),
    /** True if the worker of the last attempt died. The next attempt then runs alone. */
    crashed: integer({ mode: "boolean" }).notNull().default(false),
    /** When the stage was first deferred since the job was submitted or retried. Null if it was not. */
    deferredSince: integer("deferred_since"),
    owner: text(),
    host: text(),
    /** Until this time the owner may still be working, even if the job has ended. */
    leaseUntil: integer("lease_until"),
    output: text(),
    /** Start and end of the last attempt. */
    beganAt: integer("began_at"),
    endedAt: integer("ended_at"),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.stage] }), index("job_stages_lease").on(t.state, t.leaseUntil)],
)

/** Words that a running transcription has recognized so far, in batches. Removed when it ends. */
export const liveWords = sqliteTable(
  "live_words",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    attempt: integer().notNull(),
    /** Numbers the batches of an attempt from 1. */
    batch: integer().notNull(),
    words: text({ mode: "json" }).$type<readonly LiveWord[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.attempt, t.batch] })],
)
