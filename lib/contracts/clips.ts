import { z } from "zod"
import { isoTime } from "./common.ts"
import { flatTopic, topicTree } from "./topics.ts"
import { wordSpan } from "./words.ts"

/** One recording and all that was made of it. The id is the session id. */
export const clip = z.object({
  id: z.string(),
  title: z.string(),
  source_url: z.string().nullable(),
  file_path: z.string().nullable(),
  created_at: isoTime,
  duration_s: z.number(),
  language: z.string().nullable(),
  transcription: z.array(wordSpan),
  topics: z.array(flatTopic),
  tree: topicTree,
  /** Speaker id → the name people gave. */
  speakers: z.record(z.string(), z.string()),
  speech_engine: z.string().nullable(),
  whisper_model: z.string().nullable(),
  provider: z.string().nullable(),
  llm_model: z.string().nullable(),
  embed_model: z.string().nullable(),
})
export type Clip = z.infer<typeof clip>

export const clipParams = z.object({ id: z.string().min(1).max(200) })
