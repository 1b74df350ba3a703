import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"
import { topicTree } from "../topics/topic-tree.ts"
import { wordSpan } from "../transcript/words.ts"

/** A stretch of the recording under a stable id: "2" is the second L1 topic, "2.3" its third part. Seconds. */
export const node = z.object({ id: z.string().regex(/^\d+(\.\d+)?$/), start_s: z.number(), end_s: z.number() })
export const summary = z.object({ title: z.string().min(1).max(MAX_TITLE_CHARS), summary: z.string() })
export const summaries = z.record(z.string(), summary)

/** What each stage leaves behind for the ones after it: the stage's own key of the job's state, written by it alone. */
export const whisperOutput = z.discriminatedUnion("kind", [
  /** The clip's transcript stays as it is. */
  z.object({ kind: z.literal("kept") }),
  /** The source turned out to be another recording than its name said; the stage runs again for that one. */
  z.object({
    kind: z.literal("moved"),
    session_id: z.uuid(),
    /** Where the recording really lies; null: where it was asked for. */
    file_path: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("words"),
    words: z.array(wordSpan),
    duration_s: z.number().min(0),
    language: z.string().nullable(),
    speech_engine: z.string().nullable(),
    whisper_model: z.string().nullable(),
    /** As the clip's; left out where the caller gave the words. */
    diarized: z.boolean().nullish(),
    estimated_times: z.boolean().nullish(),
    transcript_notes: z.array(z.string()).optional(),
    /** What the place of the recording tells about it. */
    about: z
      .object({ title: z.string().nullable(), channel: z.string().nullable(), published_at: z.string().nullable() })
      .optional(),
    /** Where the recording really is, when the address that was given led to another one. */
    source_url: z.string().nullish(),
    file_path: z.string().nullable(),
  }),
])
export type WhisperOutput = z.infer<typeof whisperOutput>

/** What is to be told to the reader about a stage: where the model's answers could not be used. */
const notes = z.array(z.string()).optional()

export const l1Output = z.object({ nodes: z.array(node), notes })
export const decideOutput = z.object({
  decisions: z.array(z.object({ id: z.string(), reason: z.string(), subdivide: z.boolean() })),
  notes,
})
/** Parts by parent id; a parent without parts is missing. */
export const l2Output = z.object({ parts: z.record(z.string(), z.array(node)), notes })
export const summariesOutput = z.object({ summaries, notes })
export const l0Output = z.object({ tree: topicTree })

/** What persist hands to the store. `hash` is that of the embedded text; vectors have unit length. Never serialised. */
export const persistOutput = z.object({
  tree: topicTree,
  vectors: z.array(z.object({ hash: z.string(), vector: z.custom<Float32Array>((v) => v instanceof Float32Array) })),
  provider: z.string(),
  llm_model: z.string().nullable(),
  embed_model: z.string(),
})
export type PersistOutput = z.infer<typeof persistOutput>

/** The state of a job: what its finished stages left. */
export const jobState = z.object({
  l1: l1Output.optional(),
  decide: decideOutput.optional(),
  l2: l2Output.optional(),
  l1_summaries: summariesOutput.optional(),
  l2_summaries: summariesOutput.optional(),
  l0: l0Output.optional(),
})
export type JobState = z.infer<typeof jobState>

/** Which key of the state a stage writes; whisper and persist write the clip instead. */
export const STATE_KEY = {
  l1: "l1",
  decide: "decide",
  l2: "l2",
  summarize_l1: "l1_summaries",
  summarize_l2: "l2_summaries",
  l0: "l0",
} as const
