import * as z from "zod"
import { highlightColor } from "./notes.ts"

export const searchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe("Words to search for. The last one may be the beginning of a word")
    .meta({ examples: ["comet"] }),
  limit: z.coerce.number().int().min(1).max(100).default(12).describe("The maximum number of hits of each kind"),
})
export type SearchQuery = z.infer<typeof searchQuery>

const marks = z.array(z.tuple([z.int().min(0), z.int().min(0)]))
const hit = {
  clip_id: z.string().describe("The clip"),
  clip_title: z.string().describe("The title of the clip"),
  text: z.string().describe("The text that matches, or an excerpt of it"),
  marks: marks.describe("The matching parts of `text` as ranges [from, to) in UTF-16 code units"),
}

export const titleHit = z.object(hit)
/** `text` is the title of the topic if it matches, otherwise the matching sentence of its summary or an excerpt of what is said in it. */
export const topicHit = z.object({
  ...hit,
  title: z.string().describe("The title of the topic"),
  number: z.string().describe("The number of the topic, such as `1.2`"),
  start_s: z.number().describe("The start of the topic in seconds"),
  region: z
    .int()
    .min(0)
    .nullable()
    .optional()
    .describe("The region of the map that the topic is in. Null if it is not on the map, or the map is not loaded yet"),
})
export const wordsHit = z.object({
  ...hit,
  start_s: z.number().describe("When the first matching word is said, in seconds"),
  speaker: z.string().describe("The ID of the speaker"),
})
export const noteHit = z.object({
  id: z.string().describe("The ID of the note"),
  clip_id: z.string().nullable().describe("The clip that the note is about; null for a note of the library"),
  clip_title: z.string().nullable().describe("The title of the clip"),
  start_s: z.number().nullable().describe("Where the highlighted words start, in seconds; null without words"),
  color: highlightColor.nullable().describe("The color of the words; null without words"),
  text: z.string().describe("The text of the note or the highlighted words, or an excerpt of them"),
  marks: hit.marks,
})
export type TitleHit = z.infer<typeof titleHit>
export type TopicHit = z.infer<typeof topicHit>
export type WordsHit = z.infer<typeof wordsHit>
export type NoteHit = z.infer<typeof noteHit>

/**
 * The results of a library search, best first within each kind. Texts that contain every word of the query precede texts
 * that contain most of it.
 */
export const searchAnswer = z.object({
  titles: z.array(titleHit).describe("Clips whose title matches"),
  topics: z.array(topicHit).describe("Topics whose title, summary or speech matches"),
  words: z.array(wordsHit).describe("Passages of transcripts"),
  notes: z.array(noteHit).describe("Highlights and notes that contain every word of the query, newest first"),
})
export type SearchAnswer = z.infer<typeof searchAnswer>
