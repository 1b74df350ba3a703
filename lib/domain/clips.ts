import * as z from "zod"
import { boundedRecord } from "./bounded.ts"
import { EXPORT_FORMATS, MAX_CLIP_TITLE_CHARS, type TEXT_EXPORT_FORMATS } from "./constants.ts"
import { cleanName, createdRange, isoTime, nextCursor, pageQuery, requireSomeField, textFilter } from "./schemas.ts"
import { labelChange, tagList } from "./tags.ts"
import { flatTopic, topicTree } from "./topics/topic-tree.ts"
import type { WordColumns } from "./transcript/word-columns.ts"
import { wordSpan } from "./transcript/words.ts"

const wordColumns: z.ZodType<WordColumns> = z.object({
  per_second: z.int().min(1).describe("The unit of time: so many make a second"),
  text: z.string().describe("The words, separated by line feeds"),
  starts: z.array(z.int()).describe("The start of each word, counted from the start of the word before"),
  lengths: z.array(z.int()).describe("The length of each word"),
  speakers: z
    .array(z.tuple([z.string(), z.int().min(1)]))
    .describe("The IDs of the speakers, each with the number of consecutive words"),
})

/** The stored record of one recording. The ID is its session ID. */
export const clip = z.object({
  id: z.string().describe("The session ID of the recording"),
  title: z.string().describe("The title. A user can change it"),
  source_url: z.string().nullable().describe("The URL that the recording came from. Null for files"),
  file_path: z
    .string()
    .nullable()
    .describe("The path of the recording, or where its upload is stored. Null for URLs and for names"),
  created_at: isoTime.describe("When the clip was created"),
  channel: z.string().nullable().describe("The publisher, if the source names one"),
  published_at: isoTime.nullable().describe("When the source was published, if it says so"),
  duration_s: z.number().describe("The length of the recording in seconds"),
  language: z.string().nullable().describe("The language code of the transcript. Null if unknown"),
  transcription: z.array(wordSpan).describe("The words in the order of their start"),
  word_columns: wordColumns
    .nullable()
    .optional()
    .describe(
      "The words as columns, which are smaller. Only if `fields` names it; null if their times are no multiples of a microsecond",
    ),
  topics: z.array(flatTopic).describe("The topics as a flat list in the order of the tree"),
  tree: topicTree.describe("The topics as a tree, with the edits of users applied"),
  speakers: z.record(z.string(), z.string()).describe("The names that users gave to speakers, by speaker ID"),
  voices: z.int().min(0).describe("The number of speakers"),
  tags: z.array(z.string()).describe("The tags that users gave to the clip, in alphabetical order"),
  favorite: z.boolean().describe("True if a user marked the clip as a favorite"),
  speech_engine: z
    .string()
    .nullable()
    .describe("The engine that transcribed the recording. Null if the caller supplied the words"),
  whisper_model: z.string().nullable().describe("The speech model that the engine used"),
  diarized: z
    .boolean()
    .nullable()
    .describe(
      'False if diarization did not run; every word then has speaker "0". Null if the caller supplied the words',
    ),
  estimated_times: z
    .boolean()
    .nullable()
    .describe("True if word times are estimated from longer segments. Null if the caller supplied the words"),
  transcript_notes: z
    .array(z.string())
    .describe("Notes on the transcription, such as a fallback engine or missing speaker labels"),
  provider: z.string().nullable().describe("What wrote the topics"),
  llm_model: z.string().nullable().describe("The language model that wrote the topics. Null for the builtin provider"),
  embed_model: z.string().nullable().describe("The model that computed the vectors of the topics"),
  etag: z
    .string()
    .optional()
    .describe("The version. An edit with it in `If-Match` fails if the clip has changed. Clips of a list have none"),
})
export type Clip = z.infer<typeof clip>

/** A topic in the strip of a clip. */
export const stripTopic = z.object({
  start_s: z.number().describe("The start in seconds"),
  duration_s: z.number().describe("The length in seconds"),
  title: z.string().describe("The title of the topic"),
  region: z
    .int()
    .min(0)
    .nullable()
    .describe("The region of the map that the topic is in. Null if it is not on the map, or the map is not loaded yet"),
})
export type StripTopic = z.infer<typeof stripTopic>

/** A clip in a list, without its transcript and tree. */
export const clipEntry = clip.omit({ transcription: true, word_columns: true, tree: true, etag: true })
export type ClipEntry = z.infer<typeof clipEntry>

/** A clip in `GET /clips`. The additional fields show it in one row. */
export const listedClip = clipEntry.extend({
  gist: z.string().describe("The first sentence of the summary, shortened. Empty if there is none"),
  strip: z.array(stripTopic).describe("The topics below the recording as a whole, without subtopics"),
})
export type ListedClip = z.infer<typeof listedClip>

export const CLIP_STATES = ["ready", "processing", "failed"] as const

const CLIP_ORDERS = ["-created_at", "created_at", "title", "-title", "duration_s", "-duration_s"] as const

const seconds = z.coerce.number().min(0).optional()

/** Filters of clips. */
export const clipFilters = createdRange.extend({
  q: textFilter.describe("Only clips in which the title, a topic or a passage has these words, as in `/search`"),
  speaker: textFilter.describe("Only clips in which a speaker has this name"),
  language: textFilter.describe("Only clips whose transcript has this language code"),
  tag: textFilter.describe("Only clips that have this tag, or all of several that are separated by commas"),
  favorite: z.enum(["true", "false"]).optional().describe("Only favorites, or only clips that are none"),
  subject: textFilter.describe("Only clips with a topic in the region of the map that has this name"),
  min_duration_s: seconds.describe("Only recordings of at least this many seconds"),
  max_duration_s: seconds.describe("Only recordings shorter than this many seconds"),
  state: z
    .enum(CLIP_STATES)
    .optional()
    .describe("Only clips with a job that is queued or running, whose latest job failed, or neither"),
})
export type ClipFilters = z.infer<typeof clipFilters>

export const clipsQuery = pageQuery.extend(clipFilters.shape).extend({
  sort: z.enum(CLIP_ORDERS).optional().describe("The order. `-` means descending; the default is `-created_at`"),
})
export type ClipsQuery = z.infer<typeof clipsQuery>
export const clipList = z.object({
  clips: z.array(listedClip).describe("A page of clips"),
  total: z.int().min(0).optional().describe("The number of clips that match. Only on the first page"),
  next_cursor: nextCursor,
})
export type ClipList = z.infer<typeof clipList>

/** A change to a clip. */
export const clipPatch = requireSomeField(
  labelChange.extend({
    title: z.string().overwrite(cleanName).min(1).max(MAX_CLIP_TITLE_CHARS).optional().describe("The new title"),
    speakers: boundedRecord(z.string().min(1).max(100), z.string().overwrite(cleanName).max(200), {
      max: 500,
    })
      .optional()
      .describe("Names by speaker ID. They are merged with the present ones; an empty name removes one"),
    tags: tagList
      .optional()
      .describe("All tags. The clip keeps no others; `add_tags` and `remove_tags` change some of them"),
  }),
)
export type ClipPatch = z.infer<typeof clipPatch>

/** The regions of the map that the topics of a clip are in. */
export const clipRegions = z.object({
  topics: z
    .record(z.string(), z.int().min(0))
    .describe("The ID of the region by number of the topic, such as `1.2`. Topics that are not on the map are missing"),
  regions: z
    .array(z.object({ id: z.int().min(0).describe("The ID"), name: z.string().describe("The name of the region") }))
    .describe("The regions among them, the largest on the map first. Each keeps its color on all pages"),
})
export type ClipRegions = z.infer<typeof clipRegions>

export const exportFormat = z.enum(EXPORT_FORMATS)
export type ExportFormat = z.infer<typeof exportFormat>
export type TextExportFormat = (typeof TEXT_EXPORT_FORMATS)[number]
