/** How long to keep what no longer changes. Ages in milliseconds. */
export type RetentionLimits = {
  /** Ended jobs, with their stages, messages and supplied transcripts. */
  readonly jobsMs: number
  /** Failed and cancelled jobs of uploads that were never transcribed, and with them the uploads. */
  readonly failedUploadsMs: number
  /** Stage outputs of jobs that are done. A job that can be retried keeps them. */
  readonly outputsMs: number
  /** Topic runs per clip, newest first. */
  readonly topicRuns: number
}

/** The numbers of rows that are older than the limits, or that nothing uses any more. */
export type OldRows = {
  readonly jobs: number
  readonly outputs: number
  readonly topicRuns: number
  /** Vectors and speech of topics that no longer exist. */
  readonly vectors: number
  readonly speech: number
  readonly idempotencyKeys: number
}

export type TableSize = { readonly table: string; readonly bytes: number }

/** Deletes old rows, and reports what the tables occupy. */
export interface RetentionStore {
  count(limits: RetentionLimits): Promise<OldRows>
  /** Deletes at most one batch of each kind, so that no transaction takes long. Returns what it deleted. */
  deleteBatch(limits: RetentionLimits): Promise<OldRows>
  /** Measures every table with its indexes and records the sizes. Reads the whole database on SQLite. */
  measureTables(): Promise<TableSize[]>
  /** Returns the recorded sizes, largest first. Empty before the first measurement. */
  listTableSizes(): Promise<TableSize[]>
}
