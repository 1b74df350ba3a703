import * as z from "zod"
import { boundedList } from "./bounded.ts"
import { isoTime } from "./schemas.ts"

const MAX_FIND_CHARS = 200
/** The number of hits that one call replaces. */
export const MAX_REPLACED_HITS = 2000
/** The number of hits that a preview returns of one recording. */
export const MAX_HITS_PER_CLIP = 1000

/** What is searched for in transcripts. */
export const findOptions = z.object({
  find: z
    .string()
    .overwrite((text) => text.trim().replaceAll(/\s+/gu, " "))
    .min(1)
    .max(MAX_FIND_CHARS)
    .describe("The text to find: one or several words, or with `whole_words` false a part of a word"),
  whole_words: z.boolean().default(true).describe("Finds only whole words"),
  match_case: z.boolean().default(false).describe("Distinguishes upper and lower case"),
})
export type FindOptions = z.infer<typeof findOptions>

const replaceWith = z
  .string()
  .overwrite((text) => text.trim().replaceAll(/\s+/gu, " "))
  .max(MAX_FIND_CHARS)

const clipId = z.string().min(1).max(200)

export const previewRequest = findOptions.extend({
  replace_with: replaceWith.default("").describe("What replaces the text. An empty text deletes it"),
  clip_id: clipId
    .optional()
    .describe("Only this clip. Without it, the clips of the library are searched, newest first"),
  limit: z.int().min(1).max(100).default(25).describe("The number of clips to search"),
  cursor: z.string().max(500).optional().describe("`next_cursor` of the previous response"),
})
export type PreviewRequest = z.infer<typeof previewRequest>

const hitFields = {
  clip_id: clipId.describe("The clip"),
  start_s: z.number().min(0).describe("The start of the first word in seconds"),
  end_s: z.number().min(0).describe("The end of the last word in seconds"),
  speaker: z.string().max(100).describe("The speaker of the words"),
  text: z.string().min(1).max(2000).describe("The words that the hit changes"),
}

/** A hit that is to be replaced, as the preview returned it. */
const hitReference = z.object(hitFields)
export type HitReference = z.infer<typeof hitReference>

export const replacementHit = hitReference.extend({
  replacement: z.string().describe("What replaces these words"),
  before: z.string().describe("The words before them"),
  after: z.string().describe("The words after them"),
})
export type ReplacementHit = z.infer<typeof replacementHit>

export const replacementRequest = findOptions.extend({
  replace_with: replaceWith.describe("What replaces the text. An empty text deletes it"),
  hits: boundedList(hitReference, { min: 1, max: MAX_REPLACED_HITS }).describe(
    "The hits to replace, from the preview. One whose words have changed meanwhile is left alone and reported",
  ),
  replacement_id: z
    .string()
    .max(100)
    .optional()
    .describe("Adds to this replacement, so that it is undone together with it. For more hits than one call takes"),
})
export type ReplacementRequest = z.infer<typeof replacementRequest>

/** Words that were found and replaced together. */
export const replacement = z.object({
  id: z.string().describe("The ID of the replacement"),
  find: z.string().describe("The text that was searched for"),
  replace_with: z.string().describe("What replaced it"),
  created_at: isoTime.describe("When it was made"),
  clips: z.int().describe("The number of clips with its edits"),
  edits: z.int().describe("The number of its edits that are stored"),
})
export type Replacement = z.infer<typeof replacement>

export const skippedHit = z.object({
  clip_id: z.string().describe("The clip"),
  start_s: z.number().describe("The start of the hit in seconds"),
  text: z.string().describe("The words of the hit in the preview"),
  reason: z
    .enum(["changed", "missing", "full"])
    .describe(
      "`changed`: the words are others now. `missing`: the clip was deleted. `full`: it has too many corrections",
    ),
})
export type SkippedHit = z.infer<typeof skippedHit>
