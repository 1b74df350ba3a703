import * as z from "zod"
import { clipEntry } from "../domain/clips.ts"
import { chunk, documentEntry } from "../domain/documents.ts"
import { flatTopic } from "../domain/topics/topic-tree.ts"
import { wordSpan } from "../domain/transcript/words.ts"
import type { Endpoints } from "./endpoint.ts"

const INCLUDED = ["words", "text"] as const

const exportLibraryQuery = z.object({
  format: z.enum(["ndjson"]).optional().describe("The format: one JSON object per line"),
  include: z
    .string()
    .transform((list) => list.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(INCLUDED)))
    .optional()
    .describe("What to add, separated by commas: `words` of clips, `text` of documents"),
})
export type ExportLibraryQuery = z.infer<typeof exportLibraryQuery>

const count = z.int().min(0)

const exportLine = z.discriminatedUnion("type", [
  clipEntry.omit({ topics: true }).extend({
    type: z.literal("clip").describe("A clip. Its topics follow"),
    transcription: z.array(wordSpan).optional().describe("The words in the order of their start, if included"),
  }),
  flatTopic.extend({
    type: z.literal("topic").describe("A topic of the clip above"),
    clip_id: z.string().describe("The clip of the topic"),
  }),
  documentEntry.extend({
    type: z.literal("document").describe("A document"),
    parts: z.array(chunk).optional().describe("The indexed text in order, if included"),
  }),
  z.object({
    type: z.literal("end").describe("The last line. Without it, the export is incomplete"),
    clips: count.describe("The number of clips"),
    topics: count.describe("The number of topics"),
    documents: count.describe("The number of documents"),
  }),
])
export type ExportLine = z.infer<typeof exportLine>

export const exportEndpoints = {
  exportLibrary: {
    method: "GET",
    path: "/export",
    scope: "read",
    summary:
      "Streams the whole library, one JSON object per line: each clip with its topics, oldest first, then each document. The last line has the type `end`",
    needs: ["rag"],
    query: exportLibraryQuery,
    lines: { name: "ExportLine", schema: exportLine },
    headers: ["Content-Disposition"],
  },
} as const satisfies Endpoints
