import * as z from "zod"
import { ENGINES, MAX_CLIP_TITLE_CHARS, PROVIDERS } from "../constants.ts"
import { cleanName, isoTime, pageQuery } from "../schemas.ts"
import { givenTranscript } from "../transcript/given/read-transcript.ts"
import { jobStatus, STAGE_NAMES, type StageName, stageName, stageState } from "./stages.ts"

export const providerName = z.enum(PROVIDERS)
export type ProviderName = z.infer<typeof providerName>
export const providerChoice = z.enum(["auto", ...PROVIDERS])

export const engineName = z.enum(ENGINES)
export type EngineName = z.infer<typeof engineName>
export const engineChoice = z.enum(["auto", ...ENGINES])

/** A BCP 47 language code, or an English name, which some engines accept. */
const LANGUAGE = /^([A-Za-z]+([-_][A-Za-z0-9]+)*)?$/
const NO_LANGUAGE = { error: 'must be a language code like "en" or "pt-BR"' }
const modelName = z.string().overwrite(cleanName).min(1).max(200)

/** The name of a speech model: a folder name, or `org/name` on a server. Path traversal is rejected. */
export const speechModelName = modelName.refine(
  (name) => !name.includes("\\") && name.split("/").every((part) => !["", ".", "..", "~"].includes(part.trim())),
  { error: "must be a model name such as whisper-small or org/name, not a path" },
)

/** The options of a job. HTTP, SDK and command line take their defaults from here. */
export const jobOptions = z.object({
  title: z.string().overwrite(cleanName).min(1).max(MAX_CLIP_TITLE_CHARS).optional(),
  /** `null` or "" lets the engine detect the language. */
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
  /** The number of speakers, if known. */
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

/** The options of a job as stored. `is_language_given` is true if the caller chose the language. */
export type StoredJobOptions = JobOptions & { readonly is_language_given?: boolean }

/** The options of a topic run. */
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

/** The options of a re-transcription. The language defaults to the clip's language. */
export const transcriptionSettings = jobOptions.omit({ title: true, force_retranscribe: true }).extend({
  language: z.string().max(20).regex(LANGUAGE, NO_LANGUAGE).nullable().optional(),
})
export type TranscriptionSettings = z.infer<typeof transcriptionSettings>

export const audioJobRequest = jobOptions.extend({
  source: z
    .string()
    .trim()
    .min(1)
    .max(4096)
    .describe("A YouTube URL, an http(s) URL, a path inside the allowed folders, or `name:` and any name"),
  /** Replaces the clip's transcript. `source` then only names the clip and need not exist. */
  transcription: givenTranscript.optional(),
})
export type AudioJobRequest = z.infer<typeof audioJobRequest>
export type AudioJobInput = z.input<typeof audioJobRequest>

export const jobProgress = z.object({
  stage: stageName,
  /** Seconds of audio for `whisper` (bytes during a model download), calls for the other stages. */
  done: z.number(),
  total: z.number(),
  /** The estimated remaining time in seconds. */
  eta_s: z.number().optional(),
  /** The phase of `whisper`: model download, transcription or diarization. */
  phase: z.enum(["model", "speech", "speakers"]).optional(),
  /** Set while the stage is deferred. The deferral does not count as an attempt. */
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
  /** The original name of an uploaded file. */
  file_name: z.string().optional(),
  stages: stageMap(stageState),
  /** The number of attempts of each stage. A finished stage never runs again. */
  stage_attempts: stageMap(z.int().min(0)),
  /** The duration in seconds of the last finished attempt of each stage. */
  stage_seconds: z.partialRecord(stageName, z.number().min(0)),
  progress: jobProgress.nullable(),
  error: z.object({ stage: stageName, detail: z.string() }).optional(),
  /** Executions of the job: 1 at submission, plus 1 for each retry. */
  attempts: z.int().min(1),
  created_at: isoTime,
  started_at: isoTime.optional(),
  finished_at: isoTime.optional(),
})
export type JobRecord = z.infer<typeof jobRecord>

export const jobsQuery = pageQuery.extend({
  status: jobStatus.optional(),
  /** Only jobs that wrote this clip or were submitted for it. */
  clip_id: z.string().min(1).max(200).optional(),
})
export type JobsQuery = z.infer<typeof jobsQuery>
export const jobList = z.object({ jobs: z.array(jobRecord), next_cursor: z.string().optional() })
export type JobList = z.infer<typeof jobList>
