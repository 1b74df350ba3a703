import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES, type StageName } from "../../../domain/jobs/stages.ts"

/** What `auto` was resolved to, once for the whole installation. */
export const choices = sqliteTable("choices", {
  kind: text({ enum: ["provider", "embedder", "speech"] }).primaryKey(),
  value: text().notNull(),
  reason: text().notNull(),
  chosenAt: integer("chosen_at").notNull(),
})

/** Heartbeats of the worker processes. */
export const workers = sqliteTable("workers", {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** Of its program; null while it is one that did not tell yet. */
  version: text(),
  stages: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
  startedAt: integer("started_at").notNull(),
  activeAt: integer("active_at"),
  seenAt: integer("seen_at").notNull(),
})

/** Named leases: one holder among many processes. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  owner: text().notNull(),
  until: integer().notNull(),
})

/** Which job has which language model in use. Outlives the job, so that its model is still evicted. */
export const modelRuns = sqliteTable(
  "model_runs",
  { jobId: text("job_id").notNull(), model: text().notNull() },
  (t) => [primaryKey({ columns: [t.jobId, t.model] })],
)

/** Stages that wait for a GPU, are at work on it, or have just left it. They live by the lease of their stage. */
export const gpuTenants = sqliteTable(
  "gpu_tenants",
  {
    jobId: text("job_id").notNull(),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    attempt: integer().notNull(),
    /** The machine that the GPU is in. */
    gpu: text().notNull(),
    kind: text({ enum: ["whisper", "llm"] }).notNull(),
    state: text({ enum: ["waiting", "holding", "left"] }).notNull(),
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.stage] })],
)

/** Counters of the database as a whole. */
export const counters = sqliteTable("counters", { name: text().primaryKey(), value: integer().notNull() })
