import * as z from "zod"
import { boundedRecord } from "./bounded.ts"
import { EXPORT_FORMATS, MAX_CLIP_TITLE_CHARS } from "./constants.ts"
import { cleanName, isoTime, pageQuery, requireSomeField } from "./schemas.ts"
import { flatTopic, topicTree } from "./topics/topic-tree.ts"
import { wordSpan } from "./transcript/words.ts"

/** The stored record of one recording. The ID is its session ID. */
export const clip = z.object({
  id: z.string(),
  title: z.string(),
  source_url: z.string().nullable(),
  file_path: z.string().nullable(),
  created_at: isoTime,
  /** The publisher and the publication time, if the source provides them. */
  channel: z.string().nullable(),
  published_at: isoTime.nullable(),
  duration_s: z.number(),
  language: z.string().nullable(),
  transcription: z.array(wordSpan),
  topics: z.array(flatTopic),
  tree: topicTree,
  /** Speaker ID → name. */
  speakers: z.record(z.string(), z.string()),
  /** The number of speakers. */
  voices: z.int().min(0),
  speech_engine: z.string().nullable(),
  whisper_model: z.string().nullable(),
  /** False if diarization did not run; every word then has speaker "0". Null if the caller supplied the words. */
  diarized: z.boolean().nullable(),
  /** True if word times are estimated from longer segments. Null if the caller supplied the words. */
  estimated_times: z.boolean().nullable(),
  /** Notes on the transcription, such as a fallback engine or missing speaker labels. */
  transcript_notes: z.array(z.string()),
  provider: z.string().nullable(),
  llm_model: z.string().nullable(),
  embed_model: z.string().nullable(),
})
export type Clip = z.infer<typeof clip>

/** A clip in a list, without its transcript and tree. */
export const clipEntry = clip.omit({ transcription: true, tree: true })
export type ClipEntry = z.infer<typeof clipEntry>

export const clipsQuery = pageQuery
export type ClipsQuery = z.infer<typeof clipsQuery>
export const clipList = z.object({ clips: z.array(clipEntry), next_cursor: z.string().optional() })
export type ClipList = z.infer<typeof clipList>

/** A change to a clip. Speaker names are merged by ID; an empty name removes the name. */
export const clipPatch = requireSomeField(
  z.object({
    title: z.string().overwrite(cleanName).min(1).max(MAX_CLIP_TITLE_CHARS).optional(),
    speakers: boundedRecord(z.string().min(1).max(100), z.string().overwrite(cleanName).max(200), {
      max: 500,
    }).optional(),
  }),
)
export type ClipPatch = z.infer<typeof clipPatch>

export const exportFormat = z.enum(EXPORT_FORMATS)
export type ExportFormat = z.infer<typeof exportFormat>
