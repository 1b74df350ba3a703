/** The names of the pipeline's stages, in the order in which a job passes them. */
export const STAGE_NAMES = ["whisper", "l1", "decide", "l2", "summarize_l1", "summarize_l2", "l0", "persist"] as const
export type StageName = (typeof STAGE_NAMES)[number]

type StageFacts = {
  /** Shown while the stage runs. */
  readonly label: string
  /** The stages that must be done before this one starts. */
  readonly needs: readonly StageName[]
  /** Approximate share of a job's time, in percent. Only for an overall progress bar, never for an estimate. */
  readonly timeShare: number
  /** How many messages of this stage one worker processes concurrently. */
  readonly concurrency: number
  readonly timeoutMs: number
  /** How many attempts the stage has before its failure fails the job. */
  readonly maxAttempts: number
  /** The wait before the second attempt. It doubles with each further attempt. */
  readonly backoffMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Limits of a stage that calls a model: two attempts cover a lost connection, a third one a server restart. */
const MODEL_LIMITS = { concurrency: 4, timeoutMs: 2 * HOUR_MS, maxAttempts: 3, backoffMs: 2_000 }

/**
 * Everything the service knows about a stage except its implementation. This module imports no schemas, so that pages can
 * use it.
 *
 *   whisper → l1 ─┬→ decide → l2 → summarize_l2 ─┐
 *                 └→ summarize_l1 ───────────────┴→ l0 → persist
 */
export const STAGE_TABLE: Readonly<Record<StageName, StageFacts>> = {
  whisper: {
    label: "Transcribing",
    needs: [],
    timeShare: 60,
    concurrency: 1,
    timeoutMs: 12 * HOUR_MS,
    maxAttempts: 3,
    backoffMs: 5_000,
  },
  l1: { label: "Finding topics", needs: ["whisper"], timeShare: 8, ...MODEL_LIMITS },
  decide: { label: "Choosing topics to divide", needs: ["l1"], timeShare: 4, ...MODEL_LIMITS },
  l2: { label: "Finding subtopics", needs: ["decide"], timeShare: 8, ...MODEL_LIMITS },
  summarize_l1: { label: "Summarizing topics", needs: ["l1"], timeShare: 7, ...MODEL_LIMITS },
  summarize_l2: { label: "Summarizing subtopics", needs: ["l2"], timeShare: 7, ...MODEL_LIMITS },
  l0: {
    label: "Summarizing the recording",
    needs: ["summarize_l1", "summarize_l2"],
    timeShare: 3,
    ...MODEL_LIMITS,
  },
  persist: {
    label: "Adding topics to the map",
    needs: ["l0"],
    timeShare: 3,
    ...MODEL_LIMITS,
    concurrency: 2,
    timeoutMs: 30 * MINUTE_MS,
  },
}
