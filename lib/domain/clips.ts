import * as z from "zod"
import { EXPORT_FORMATS, MAX_CLIP_TITLE_CHARS } from "./constants.ts"
import { isoTime, page, plainName, requireSomeField } from "./schemas.ts"
import { flatTopic, topicTree } from "./topics/topic-tree.ts"
import { wordSpan } from "./transcript/words.ts"

/** One recording and all that was made of it. The id is the session id. */
export const clip = z.object({
  id: z.string(),
  title: z.string(),
  source_url: z.string().nullable(),
  file_path: z.string().nullable(),
  created_at: isoTime,
  /** Who published the recording and when, where its place tells. */
  channel: z.string().nullable(),
  published_at: isoTime.nullable(),
  duration_s: z.number(),
  language: z.string().nullable(),
  transcription: z.array(wordSpan),
  topics: z.array(flatTopic),
  tree: topicTree,
  /** Speaker id → the name people gave. */
  speakers: z.record(z.string(), z.string()),
  /** How many voices speak. */
  voices: z.int().min(0),
  speech_engine: z.string().nullable(),
  whisper_model: z.string().nullable(),
  /** Whether voices were told apart; false: every word has speaker "0". Null: nobody listened, the words were given. */
  diarized: z.boolean().nullable(),
  /** Whether word times are estimates, spread over longer stretches of speech. Null: the words were given. */
  estimated_times: z.boolean().nullable(),
  /** What to know about how the transcript was made: another engine than the chosen one, speakers not told apart. */
  transcript_notes: z.array(z.string()),
  provider: z.string().nullable(),
  llm_model: z.string().nullable(),
  embed_model: z.string().nullable(),
})
export type Clip = z.infer<typeof clip>

/** A clip in a list: all but what makes it large. */
export const clipEntry = clip.omit({ transcription: true, tree: true })
export type ClipEntry = z.infer<typeof clipEntry>

export const clipsQuery = page
export type ClipsQuery = z.infer<typeof clipsQuery>
export const clipList = z.object({ clips: z.array(clipEntry), next_cursor: z.string().optional() })
export type ClipList = z.infer<typeof clipList>

/** What people may write over a clip. Speakers are merged by id; an empty name takes the name away. */
export const clipPatch = requireSomeField(
  z.object({
    title: z.string().overwrite(plainName).min(1).max(MAX_CLIP_TITLE_CHARS).optional(),
    speakers: z
      .record(z.string().min(1).max(100), z.string().overwrite(plainName).max(200))
      .refine((names) => Object.keys(names).length <= 500, { error: "more than 500 speakers" })
      .optional(),
  }),
)
export type ClipPatch = z.infer<typeof clipPatch>

export const exportFormat = z.enum(EXPORT_FORMATS)
export type ExportFormat = z.infer<typeof exportFormat>
