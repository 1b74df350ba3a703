import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES, STAGE_STATES, type StageName } from "../../../domain/jobs/stages.ts"
import { jobs } from "./jobs.ts"

/** One stage of one job. A stage writes its own row alone, so parallel branches never overwrite each other. */
export const jobStages = sqliteTable(
  "job_stages",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    state: text({ enum: STAGE_STATES }).notNull(),
    // The plan.
    next: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
    joins: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
    maxAttempts: integer("max_attempts").notNull(),
    /** How often the stage was begun. The fence: it never falls. */
    attempt: integer().notNull().default(0),
    /** Attempts charged in this run of the job. */
    tries: integer().notNull().default(0),
    /** Messages written for this stage; makes their ids unique. */
    messages: integer().notNull().default(0),
    /** The worker of the last attempt died: the next one is made apart from others. */
    crashed: integer({ mode: "boolean" }).notNull().default(false),
    owner: text(),
    host: text(),
    /** While it lies ahead the owner may still be at work, even on a job that has ended meanwhile. */
    leaseUntil: integer("lease_until"),
    output: text(),
    /** The last attempt's begin, and its end. */
    beganAt: integer("began_at"),
    endedAt: integer("ended_at"),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.stage] }), index("job_stages_lease").on(t.state, t.leaseUntil)],
)
