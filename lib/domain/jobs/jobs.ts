import * as z from "zod"
import { boundedList } from "../bounded.ts"
import { ENGINES, MAX_CLIP_TITLE_CHARS, MAX_TEMPLATES, PROVIDERS, TOPIC_DETAILS } from "../constants.ts"
import { cleanName, createdRange, isoTime, nextCursor, pageQuery, textFilter } from "../schemas.ts"
import { templateId } from "../summary-templates.ts"
import { givenTranscript } from "../transcript/given/read-transcript.ts"
import { MAX_VOCABULARY, vocabularyEntry } from "../vocabulary.ts"
import { webhookSecret, webhookUrl } from "../webhook-fields.ts"
import { jobStatus, STAGE_NAMES, type StageName, stageName, stageState } from "./stages.ts"

export const providerName = z.enum(PROVIDERS)
export type ProviderName = z.infer<typeof providerName>
export const providerChoice = z.enum(["auto", ...PROVIDERS])

export const engineName = z.enum(ENGINES)
export type EngineName = z.infer<typeof engineName>
export const engineChoice = z.enum(["auto", ...ENGINES])

export const topicDetail = z.enum(TOPIC_DETAILS)
export type TopicDetail = z.infer<typeof topicDetail>

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
  title: z
    .string()
    .overwrite(cleanName)
    .min(1)
    .max(MAX_CLIP_TITLE_CHARS)
    .optional()
    .describe("The title of the clip. The default comes from the recording"),
  language: z
    .string()
    .max(20)
    .regex(LANGUAGE, NO_LANGUAGE)
    .nullable()
    .default("en")
    .transform((v) => v || null)
    .describe('The language of the recording, such as `en` or `pt-BR`. null or "" lets the engine detect it'),
  whisper_model: speechModelName.optional().describe("The speech model. The default is that of the installation"),
  llm_model: modelName
    .optional()
    .describe(
      "The language model that writes topics. The default is SERVICE_LLM_MODEL, or the only model of the server",
    ),
  provider: providerChoice
    .default("auto")
    .describe("What writes titles and summaries. `auto` uses the choice of the installation"),
  speech_engine: engineChoice.default("auto").describe("What transcribes. `auto` uses the choice of the installation"),
  speakers: z.int().min(1).max(50).optional().describe("The number of speakers, if known"),
  vocabulary: boundedList(vocabularyEntry, { max: MAX_VOCABULARY })
    .optional()
    .describe("Names and terms of this recording, besides the vocabulary of the library"),
  max_concurrency: z
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe("The maximum number of simultaneous calls to the language model"),
  num_ctx_l1: z
    .int()
    .min(2048)
    .max(131072)
    .default(8192)
    .describe("The context size of the calls that find topics, in tokens"),
  num_ctx_fanout: z
    .int()
    .min(2048)
    .max(131072)
    .default(8192)
    .describe("The context size of all other calls, in tokens"),
  topic_detail: topicDetail
    .default("normal")
    .describe(
      "How finely the recording is divided: `fewer` gives about half as many topics as `normal`, `more` two to three times as many in a long recording",
    ),
  min_subdivide_duration_s: z
    .number()
    .min(0)
    .default(120)
    .describe("Topics shorter than this many seconds get no subtopics"),
  boundary_block_seconds: z
    .number()
    .min(5)
    .max(600)
    .default(30)
    .describe("The language model reads the transcript in blocks of this many seconds"),
  reasoning: z.boolean().default(false).describe("Let the language model reason before it answers"),
  summaries: z
    .array(templateId)
    .max(MAX_TEMPLATES)
    .optional()
    .describe(
      "The IDs of the templates whose summaries are made when the job ends. The default are those that run after every job; an empty list makes none",
    ),
  force_retranscribe: z.boolean().default(false).describe("Transcribe again even if the clip has a transcript"),
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
  topic_detail: true,
  min_subdivide_duration_s: true,
  boundary_block_seconds: true,
  reasoning: true,
})
export type TopicSettings = z.infer<typeof topicSettings>
export type TopicSettingsInput = z.input<typeof topicSettings>

/** The options of a re-transcription. */
export const transcriptionSettings = jobOptions.omit({ title: true, force_retranscribe: true }).extend({
  language: z
    .string()
    .max(20)
    .regex(LANGUAGE, NO_LANGUAGE)
    .nullable()
    .optional()
    .describe("The language of the recording. The default is that of the clip; null lets the engine detect it"),
})
export type TranscriptionSettings = z.infer<typeof transcriptionSettings>

export const audioJobRequest = jobOptions.extend({
  source: z
    .string()
    .trim()
    .min(1)
    .max(4096)
    .describe(
      "A YouTube URL, an http(s) URL, a path inside the allowed folders, `upload:` and the ID of a finished upload, or `name:` and any name",
    ),
  /** Replaces the clip's transcript. `source` then only names the clip and need not exist. */
  transcription: givenTranscript.optional(),
  webhook_url: webhookUrl.optional().describe("An address that gets `job.done` or `job.error` when the job ends"),
  webhook_secret: webhookSecret
    .optional()
    .describe("The secret that signs these requests. Without it, the response contains a new one"),
})
export type AudioJobRequest = z.infer<typeof audioJobRequest>
export type AudioJobInput = z.input<typeof audioJobRequest>

export const jobProgress = z.object({
  stage: stageName.describe("The stage that reports"),
  done: z
    .number()
    .describe("Seconds of audio for `whisper` (bytes during a model download), calls for the other stages"),
  total: z.number().describe("The value of `done` at which the stage is finished"),
  eta_s: z.number().optional().describe("The estimated remaining time in seconds"),
  phase: z
    .enum(["model", "speech", "speakers"])
    .optional()
    .describe("The phase of `whisper`: model download, transcription or diarization"),
  waiting: z
    .object({
      reason: z.string().describe("Why the stage waits"),
      until: isoTime.describe("When it is tried again"),
    })
    .optional()
    .describe("Set while the stage is deferred. The deferral does not count as an attempt"),
})
export type JobProgress = z.infer<typeof jobProgress>

const stageMap = <T extends z.ZodType>(value: T) =>
  z.object(
    Object.fromEntries(STAGE_NAMES.map((name) => [name, value.describe(`Of the stage \`${name}\``)])) as Record<
      StageName,
      T
    >,
  )

export const jobRecord = z.object({
  job_id: z.string().describe("The ID of the job"),
  status: jobStatus.describe("`done`, `error` and `cancelled` are final, unless the job is retried"),
  session_id: z.string().describe("The ID of the clip, which exists once the recording is transcribed"),
  result_session_id: z
    .string()
    .optional()
    .describe("The ID of the clip if the source turned out to be another recording"),
  title: z.string().describe("The title that the clip has or gets"),
  file_name: z.string().optional().describe("The original name of an uploaded file"),
  stages: stageMap(stageState).describe("The state of each stage"),
  stage_attempts: stageMap(z.int().min(0)).describe(
    "The number of attempts of each stage. A finished stage never runs again",
  ),
  stage_seconds: z
    .partialRecord(stageName, z.number().min(0))
    .describe("The duration in seconds of the last finished attempt of each stage"),
  progress: jobProgress.nullable().describe("How far the running stage is. Null if none runs"),
  error: z
    .object({ stage: stageName.describe("The stage"), detail: z.string().describe("What happened, and what to do") })
    .optional()
    .describe("The stage that failed, and why"),
  attempts: z.int().min(1).describe("Executions of the job: 1 at submission, plus 1 for each retry"),
  created_at: isoTime.describe("When the job was submitted"),
  started_at: isoTime.optional().describe("When its first stage started"),
  finished_at: isoTime.optional().describe("When it ended"),
})
export type JobRecord = z.infer<typeof jobRecord>

const JOB_ORDERS = ["-created_at", "created_at"] as const

export const jobsQuery = pageQuery.extend(createdRange.shape).extend({
  q: textFilter.describe("Only jobs whose title contains this text"),
  sort: z.enum(JOB_ORDERS).optional().describe("The order. `-` means descending; the default is `-created_at`"),
  status: jobStatus.optional().describe("Only jobs with this status"),
  clip_id: z.string().min(1).max(200).optional().describe("Only jobs that wrote this clip or were submitted for it"),
})
export type JobsQuery = z.infer<typeof jobsQuery>
export const jobList = z.object({ jobs: z.array(jobRecord).describe("A page of jobs"), next_cursor: nextCursor })
export type JobList = z.infer<typeof jobList>
