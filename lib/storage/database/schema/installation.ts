import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { STAGE_NAMES, type StageName } from "../../../domain/jobs/stages.ts"

/** The engines that `auto` was resolved to, once for the whole installation. */
export const choices = sqliteTable("choices", {
  kind: text({ enum: ["provider", "embedder", "speech", "next_embedder"] }).primaryKey(),
  value: text().notNull(),
  reason: text().notNull(),
  chosenAt: integer("chosen_at").notNull(),
})

/** Heartbeats of the worker processes. */
export const workers = sqliteTable("workers", {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** The version of its program. Null for a program that does not report one. */
  version: text(),
  stages: text({ mode: "json" }).$type<readonly StageName[]>().notNull(),
  startedAt: integer("started_at").notNull(),
  activeAt: integer("active_at"),
  seenAt: integer("seen_at").notNull(),
})

/** Named leases. At most one process holds a lease. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  owner: text().notNull(),
  until: integer().notNull(),
})

/** The language models that jobs use. A row outlives its job, so that the model is evicted afterwards. */
export const modelRuns = sqliteTable(
  "model_runs",
  { jobId: text("job_id").notNull(), model: text().notNull() },
  (t) => [primaryKey({ columns: [t.jobId, t.model] })],
)

/** Stages that wait for a GPU, use it or have just released it. A row is valid while the lease of its stage is. */
export const gpuTenants = sqliteTable(
  "gpu_tenants",
  {
    jobId: text("job_id").notNull(),
    stage: text({ enum: STAGE_NAMES }).notNull(),
    attempt: integer().notNull(),
    /** The host of the GPU. */
    gpu: text().notNull(),
    kind: text({ enum: ["whisper", "llm"] }).notNull(),
    state: text({ enum: ["waiting", "holding", "left"] }).notNull(),
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.stage] })],
)

/** Counters of the whole database. */
export const counters = sqliteTable("counters", { name: text().primaryKey(), value: integer().notNull() })
