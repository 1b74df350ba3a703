import * as z from "zod"
import { HIGHLIGHT_COLORS, MAX_NOTE_CHARS } from "./constants.ts"
import { createdRange, isoTime, nextCursor, removeNul, requireSomeField, textFilter } from "./schemas.ts"
import { MAX_SECONDS } from "./transcript/words.ts"

/** The number of notes in a page of a list: a recording page loads all notes of its recording with one request. */
const MAX_PAGE = 1000
/** The number of sources of a note, and the length of each. */
const MAX_SOURCES = 50
const MAX_SOURCE_CHARS = 4000

export const highlightColor = z.enum(HIGHLIGHT_COLORS)
export type HighlightColor = z.infer<typeof highlightColor>

const noteText = z.string().overwrite(removeNul).trim().max(MAX_NOTE_CHARS)
const seconds = z.number().min(0).max(MAX_SECONDS)
const sourceId = z.string().min(1).max(200)

/** Where the text of a note comes from, such as the sources of an answer. */
export const noteSource = z.object({
  clip_id: sourceId.optional().describe("The clip, if the source is a recording"),
  document_id: sourceId.optional().describe("The document, if the source is one"),
  title: z.string().overwrite(removeNul).trim().max(500).describe("The title of the recording or document"),
  start_s: seconds.optional().describe("For a recording: when it is said, in seconds"),
  page: z.int().min(1).optional().describe("For a document: the page"),
  text: z.string().overwrite(removeNul).trim().max(MAX_SOURCE_CHARS).describe("The passage"),
})
export type NoteSource = z.infer<typeof noteSource>

/** A highlight (words of a recording with a color), a note on words, or a note without words. */
export const note = z.object({
  id: z.string().describe("The ID of the note"),
  clip_id: z.string().nullable().describe("The clip that the note is about; null for a note of the library"),
  clip_title: z.string().nullable().describe("The title of the clip"),
  start_s: z.number().nullable().describe("Where the highlighted words start, in seconds; null without words"),
  end_s: z.number().nullable().describe("Where the highlighted words end, in seconds; null without words"),
  quote: z
    .string()
    .nullable()
    .describe(
      "The highlighted words. Corrections and transcriptions change them with the transcript; null without words",
    ),
  speaker: z.string().nullable().describe("The name of the speaker of the words; null if unknown or without words"),
  color: highlightColor.nullable().describe("The color of the words; null without words"),
  text: z.string().describe("What a person wrote. Empty for words that are only highlighted"),
  sources: z.array(noteSource).describe("Where the text comes from, for a saved answer. Usually empty"),
  created_at: isoTime.describe("When the note was created"),
  updated_at: isoTime.describe("When its text or color last changed"),
  etag: z.string().describe("The version of the note, for the header If-Match"),
})
export type Note = z.infer<typeof note>

export const noteRequest = z
  .object({
    clip_id: sourceId.nullable().default(null).describe("The clip. Null or missing: a note of the library"),
    start_s: seconds
      .nullable()
      .default(null)
      .describe("Where the words start, in seconds. Needs `clip_id` and `end_s`"),
    end_s: seconds.nullable().default(null).describe("Where the words end, in seconds"),
    color: highlightColor.nullable().default(null).describe("The color of the words. The default is `yellow`"),
    text: noteText.default("").describe("The text. Required without words"),
    sources: z.array(noteSource).max(MAX_SOURCES).default([]).describe("Where the text comes from"),
  })
  .superRefine(({ clip_id, start_s, end_s, color, text }, context) => {
    const reject = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
    if ((start_s === null) !== (end_s === null)) reject("end_s", "is needed with start_s, and the other way round")
    if (start_s !== null && end_s !== null && end_s <= start_s) reject("end_s", "must be after start_s")
    if (start_s !== null && clip_id === null) reject("clip_id", "is needed with start_s")
    if (start_s === null && color !== null) reject("color", "is only for words: give start_s and end_s")
    if (start_s === null && text === "") reject("text", "must not be empty without start_s and end_s")
  })
export type NoteRequest = z.infer<typeof noteRequest>

export const notePatch = requireSomeField(
  z.object({
    text: noteText.optional().describe("The new text. A note without words must have one"),
    color: highlightColor.optional().describe("The new color, if the note has words"),
  }),
)
export type NotePatch = z.infer<typeof notePatch>

export const noteFilters = createdRange.extend({
  q: textFilter.describe("Only notes whose text or words contain all words of this text, the last one as a prefix"),
  clip_id: sourceId.optional().describe("Only notes of this clip"),
  color: highlightColor.optional().describe("Only words with this color"),
  kind: z
    .enum(["highlight", "note"])
    .optional()
    .describe("`highlight`: only words without a text. `note`: only notes with a text"),
})
export type NoteFilters = z.infer<typeof noteFilters>

export const notesQuery = noteFilters.extend({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50).describe("The maximum number of entries"),
  cursor: z.string().min(1).max(1000).optional().describe("The `next_cursor` of the previous page"),
})
export type NotesQuery = z.infer<typeof notesQuery>

export const noteList = z.object({
  notes: z.array(note).describe("The notes, newest first"),
  next_cursor: nextCursor,
})
export type NoteList = z.infer<typeof noteList>

export const notesExportQuery = noteFilters.extend({
  format: z.enum(["md", "json"]).default("md").describe("Markdown, grouped by recording, or JSON"),
})
export type NotesExportQuery = z.infer<typeof notesExportQuery>
