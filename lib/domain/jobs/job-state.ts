import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"
import { speakerEmbeddings } from "../people/speaker-embeddings.ts"
import { topicTree } from "../topics/topic-tree.ts"
import { wordSpan } from "../transcript/words.ts"

/** A topic node: "2" is the second topic, "2.3" its third subtopic. Times are in seconds. */
export const node = z.object({ id: z.string().regex(/^\d+(\.\d+)?$/), start_s: z.number(), end_s: z.number() })
export const summary = z.object({ title: z.string().min(1).max(MAX_TITLE_CHARS), summary: z.string() })
export const summaries = z.record(z.string(), summary)

/** The output of each stage, stored under the stage's own key of the job's state. */
export const whisperOutput = z.discriminatedUnion("kind", [
  /** The clip keeps its transcript. */
  z.object({ kind: z.literal("kept") }),
  /** The source is another recording than its name suggested. The stage runs again for that one. */
  z.object({
    kind: z.literal("moved"),
    session_id: z.uuid(),
    /** The real path of the recording. Null if it is the requested one. */
    file_path: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("words"),
    words: z.array(wordSpan),
    duration_s: z.number().min(0),
    language: z.string().nullable(),
    speech_engine: z.string().nullable(),
    whisper_model: z.string().nullable(),
    /** As in the clip. Omitted if the caller supplied the words. */
    diarized: z.boolean().nullish(),
    estimated_times: z.boolean().nullish(),
    transcript_notes: z.array(z.string()).optional(),
    /** Metadata from the site that hosts the recording. */
    about: z
      .object({ title: z.string().nullable(), channel: z.string().nullable(), published_at: z.string().nullable() })
      .optional(),
    /** The final URL, if the requested one redirected. */
    source_url: z.string().nullish(),
    file_path: z.string().nullable(),
    speaker_embeddings: speakerEmbeddings.optional(),
  }),
])
export type WhisperOutput = z.infer<typeof whisperOutput>

/** Sentences for the user, for example that an answer of the model could not be used. */
const notes = z.array(z.string()).optional()

export const l1Output = z.object({ nodes: z.array(node), notes })
export const decideOutput = z.object({
  decisions: z.array(z.object({ id: z.string(), reason: z.string(), subdivide: z.boolean() })),
  notes,
})
/** Subtopics by the ID of their topic. A topic without subtopics is omitted. */
export const l2Output = z.object({ parts: z.record(z.string(), z.array(node)), notes })
export const summariesOutput = z.object({ summaries, notes })
export const l0Output = z.object({ tree: topicTree })

/** The input of the store after `persist`. `hash` is the hash of the embedded text. Vectors have unit length. Never serialized. */
export const persistOutput = z.object({
  tree: topicTree,
  vectors: z.array(z.object({ hash: z.string(), vector: z.custom<Float32Array>((v) => v instanceof Float32Array) })),
  provider: z.string(),
  llm_model: z.string().nullable(),
  embed_model: z.string(),
})
export type PersistOutput = z.infer<typeof persistOutput>

/** The state of a job: the outputs of its finished stages. */
export const jobState = z.object({
  l1: l1Output.optional(),
  decide: decideOutput.optional(),
  l2: l2Output.optional(),
  l1_summaries: summariesOutput.optional(),
  l2_summaries: summariesOutput.optional(),
  l0: l0Output.optional(),
})
export type JobState = z.infer<typeof jobState>

/** The key of the state that a stage writes. `whisper` and `persist` write the clip instead. */
export const STATE_KEY = {
  l1: "l1",
  decide: "decide",
  l2: "l2",
  summarize_l1: "l1_summaries",
  summarize_l2: "l2_summaries",
  l0: "l0",
} as const
