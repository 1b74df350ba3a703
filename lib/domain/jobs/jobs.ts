import * as z from "zod"
import { ENGINES, PROVIDERS } from "../constants.ts"
import { isoTime, page, plainName } from "../schemas.ts"
import { transcript } from "../transcript/words.ts"
import { jobStatus, STAGE_NAMES, type StageName, stageName, stageState } from "./stages.ts"

export const providerName = z.enum(PROVIDERS)
export type ProviderName = z.infer<typeof providerName>
export const providerChoice = z.enum(["auto", ...PROVIDERS])

export const engineName = z.enum(ENGINES)
export type EngineName = z.infer<typeof engineName>
export const engineChoice = z.enum(["auto", ...ENGINES])

/** A code as of BCP 47, or the English name that some engines take. */
const LANGUAGE = /^([A-Za-z]+([-_][A-Za-z0-9]+)*)?$/
const NO_LANGUAGE = { error: 'must be a language code like "en" or "pt-BR"' }
const modelName = z.string().overwrite(plainName).min(1).max(200)

/** The name of a speech model: here a folder's, at a server perhaps `org/name`. Nothing that leads elsewhere as a path. */
export const speechModelName = modelName.refine(
  (name) => !name.includes("\\") && name.split("/").every((part) => !["", ".", "..", "~"].includes(part.trim())),
  { error: "must be the name of a model, like whisper-small or org/name: not a path" },
)

/** How a job is to be run. The one place for these defaults: HTTP, SDK and command line read them here. */
export const jobOptions = z.object({
  title: z.string().overwrite(plainName).min(1).max(500).optional(),
  /** `null` or "" asks the engine to detect the language. */
  language: z
    .string()
    .max(20)
    .regex(LANGUAGE, NO_LANGUAGE)
    .nullable()
    .default("en")
    .transform((v) => v || null),
  whisper_model: speechModelName.optional(),
  llm_model: modelName.optional(),
  provider: providerChoice.default("auto"),
  speech_engine: engineChoice.default("auto"),
  /** Number of speakers, when the caller knows it. */
  speakers: z.int().min(1).max(50).optional(),
  max_concurrency: z.int().min(1).max(64).default(8),
  num_ctx_l1: z.int().min(2048).max(131072).default(8192),
  num_ctx_fanout: z.int().min(2048).max(131072).default(8192),
  min_subdivide_duration_s: z.number().min(0).default(120),
  boundary_block_seconds: z.number().min(5).max(600).default(30),
  reasoning: z.boolean().default(false),
  force_retranscribe: z.boolean().default(false),
})
export type JobOptions = z.infer<typeof jobOptions>

/** What of it concerns the topics alone: a re-run of them takes these. */
export const topicSettings = jobOptions.pick({
  llm_model: true,
  provider: true,
  max_concurrency: true,
  num_ctx_l1: true,
  num_ctx_fanout: true,
  min_subdivide_duration_s: true,
  boundary_block_seconds: true,
  reasoning: true,
})
export type TopicSettings = z.infer<typeof topicSettings>
export type TopicSettingsInput = z.input<typeof topicSettings>

/** How a recording that is there is to be heard once more; its language is the clip's unless another is named. */
export const transcriptionSettings = jobOptions.omit({ title: true, force_retranscribe: true }).extend({
  language: z.string().max(20).regex(LANGUAGE, NO_LANGUAGE).nullable().optional(),
})
export type TranscriptionSettings = z.infer<typeof transcriptionSettings>
export type TranscriptionSettingsInput = z.input<typeof transcriptionSettings>

export const audioJobRequest = jobOptions.extend({
  /** A YouTube address, an http(s) address, or a path inside the roots. */
  source: z.string().trim().min(1).max(4096),
  /** Given words replace the clip's transcript; `source` then only names the clip and need not exist. */
  transcription: transcript.optional(),
})
export type AudioJobRequest = z.infer<typeof audioJobRequest>
export type AudioJobInput = z.input<typeof audioJobRequest>

export const jobProgress = z.object({
  stage: stageName,
  /** Units of the stage: seconds of audio for whisper (bytes while its model is fetched), calls for the others. */
  done: z.number(),
  total: z.number(),
  /** Seconds left, by the pace so far. */
  eta_s: z.number().optional(),
  /** What whisper is at: fetching a model, listening, telling voices apart. */
  phase: z.enum(["model", "speech", "speakers"]).optional(),
  /** The stage is put off: somebody it needs asks to wait. It begins again then, uncharged. */
  waiting: z.object({ reason: z.string(), until: isoTime }).optional(),
})
export type JobProgress = z.infer<typeof jobProgress>

const stageMap = <T extends z.ZodType>(value: T) =>
  z.object(Object.fromEntries(STAGE_NAMES.map((name) => [name, value])) as Record<StageName, T>)

export const jobRecord = z.object({
  job_id: z.string(),
  status: jobStatus,
  session_id: z.string(),
  result_session_id: z.string().optional(),
  title: z.string(),
  /** What a file that was sent here was called: it lies under another name. */
  file_name: z.string().optional(),
  stages: stageMap(stageState),
  /** How often each stage was begun; a finished stage is never begun again. */
  stage_attempts: stageMap(z.int().min(0)),
  /** How long the last attempt of each stage that ended took, in seconds. */
  stage_seconds: z.partialRecord(stageName, z.number().min(0)),
  progress: jobProgress.nullable(),
  error: z.object({ stage: stageName, detail: z.string() }).optional(),
  /** Runs of the job: 1 at submission, one more with each retry. */
  attempts: z.int().min(1),
  created_at: isoTime,
  started_at: isoTime.optional(),
  finished_at: isoTime.optional(),
})
export type JobRecord = z.infer<typeof jobRecord>

export const jobsQuery = page.extend({
  status: jobStatus.optional(),
  /** Only runs that went into this clip, or that were meant for it. */
  clip_id: z.string().min(1).max(200).optional(),
})
export type JobsQuery = z.infer<typeof jobsQuery>
export const jobList = z.object({ jobs: z.array(jobRecord), next_cursor: z.string().optional() })
export type JobList = z.infer<typeof jobList>
