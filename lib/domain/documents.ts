import * as z from "zod"
import { boundedList } from "./bounded.ts"
import { FORMATS } from "./document-formats.ts"
import { cleanName, createdRange, isoTime, moment, pageQuery, textFilter } from "./schemas.ts"

/** What to search: ingested files, transcripts, or both. */
export const queryScope = z.enum(["documents", "clips", "all"])
export type QueryScope = z.infer<typeof queryScope>

/** The number of entries that a list of a filter may have. */
const MAX_FILTER_ENTRIES = 1000
const MAX_FILTER_NAMES = 100

const filterNames = boundedList(z.string().overwrite(cleanName).min(1).max(200), { min: 1, max: MAX_FILTER_NAMES })

/**
 * Which recordings and documents to search. Every field that is given must match; of a list, one entry has to. A field
 * about recordings excludes documents, and `documents` excludes recordings, unless both are given.
 */
export const queryFilter = z.object({
  clip_ids: boundedList(z.string().min(1).max(200), { min: 1, max: MAX_FILTER_ENTRIES })
    .optional()
    .describe("Only these recordings"),
  tags: filterNames.optional().describe("Only recordings that have one of these tags"),
  speakers: filterNames
    .optional()
    .describe("Only what is said while a speaker with one of these names speaks. Letter case does not matter"),
  regions: filterNames.optional().describe("Only topics in the regions of the map that have these names"),
  documents: boundedList(z.string().min(1).max(200), { min: 1, max: MAX_FILTER_ENTRIES })
    .optional()
    .describe("Only the ingested documents with these IDs"),
  after: moment
    .optional()
    .describe("Only what was published at this time or later. Where that is unknown, the time of adding counts"),
  before: moment.optional().describe("Only what was published before this time"),
})
export type QueryFilter = z.infer<typeof queryFilter>

/** The position of a chunk in its document. Fields that do not apply to a format are missing. Times are in seconds. */
export const chunkMetadata = z.object({
  source: z.string().describe("The absolute path of the file, or the ID of the clip"),
  title: z.string().optional().describe("The title of the document"),
  heading: z.string().optional().describe("The heading above the chunk"),
  page: z.int().min(1).optional().describe("The number of the page, slide or sheet, from 1"),
  start_s: z.number().min(0).optional().describe("The start of the chunk in the recording"),
  end_s: z.number().min(0).optional().describe("The end of the chunk in the recording"),
})
export type ChunkMetadata = z.infer<typeof chunkMetadata>

/** Returns the title and heading of a chunk, which full-text search indexes along with its text. */
export const chunkContext = ({ title, heading }: Pick<ChunkMetadata, "title" | "heading">): string =>
  [title, heading].filter(Boolean).join("\n")

export const chunk = z.object({
  id: z.string().describe("The ID of the document, and the position of the chunk in it"),
  doc_id: z.string().describe("The ID of the document; for a recording, that of its indexed transcript"),
  text: z.string().describe("The text"),
  metadata: chunkMetadata.describe("Where the chunk is in its document"),
})
export type Chunk = z.infer<typeof chunk>

/** A retrieved chunk. */
export const querySource = z.object({
  chunk: chunk.describe("The chunk"),
  score: z.number().describe("How well the chunk matches. The best possible score is 1"),
})
export type QuerySource = z.infer<typeof querySource>

/** A citation in an answer. */
export const queryCitation = z.object({
  source: z.int().min(1).describe("The number of the source, counted from 1"),
  start_s: z.number().min(0).optional().describe("For a recording, the second at which the cited sentence is said"),
  speaker: z.string().optional().describe("For a recording, the name of who says it, if it has one"),
})
export type QueryCitation = z.infer<typeof queryCitation>

/** A sentence of a source, as an answer quotes it. */
const queryExtract = queryCitation.extend({
  text: z.string().describe("The sentence, without fillers and marks of the format"),
})
export type QueryExtract = z.infer<typeof queryExtract>

/** What an answer without a language model consists of. */
export const queryFound = z.object({
  extracts: z
    .array(queryExtract)
    .describe("Sentences that answer the question, best first, rather of different recordings and documents"),
  recordings: z.int().min(0).describe("The number of recordings, among the best chunks, in which one does"),
  documents: z.int().min(0).describe("The number of documents in which one does"),
})
export type QueryFound = z.infer<typeof queryFound>

export const queryCounts = z.object({
  recordings: z.int().min(0).describe("The number of recordings"),
  documents: z.int().min(0).describe("The number of documents"),
  chunks: z.int().min(0).describe("The number of chunks in them"),
})
export type QueryCounts = z.infer<typeof queryCounts>

export const documentState = z.enum(["kept", "changed", "gone"])
export const documentEntry = z.object({
  id: z.string().describe("The ID of the document"),
  source: z.string().describe("The absolute path of the file"),
  name: z.string().describe("The name of the file"),
  title: z.string().nullable().describe("The title that the document has inside"),
  format: z.enum(FORMATS).nullable().describe("The format by its extension. Null if it is no longer supported"),
  bytes: z.int().min(0).nullable().describe("The size of the file. Null if it no longer exists"),
  chunks: z.int().min(0).describe("The number of chunks that are indexed"),
  ingested_at: isoTime.describe("When the document was last indexed"),
  state: documentState.describe(
    "`kept`: up to date. `changed`: the file is newer than the index. `gone`: the file no longer exists",
  ),
  uploaded: z.boolean().describe("True if the file was uploaded, so that the service stores it"),
})
export type DocumentEntry = z.infer<typeof documentEntry>

const DOCUMENT_ORDERS = ["source", "-source", "created_at", "-created_at"] as const

export const documentsQuery = pageQuery.extend(createdRange.shape).extend({
  limit: pageQuery.shape.limit
    .unwrap()
    .optional()
    .describe("The maximum number of entries. Without it, the list has all documents"),
  q: textFilter.describe("Only documents whose path or title contains this text"),
  format: z.enum(FORMATS).optional().describe("Only documents of this format"),
  sort: z
    .enum(DOCUMENT_ORDERS)
    .optional()
    .describe("The order; `created_at` is the time of indexing. `-` means descending; the default is `source`"),
})
export type DocumentsQuery = z.infer<typeof documentsQuery>
