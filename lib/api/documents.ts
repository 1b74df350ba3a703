import * as z from "zod"
import { boundedList } from "../domain/bounded.ts"
import { MAX_QUESTION_CHARS } from "../domain/constants.ts"
import { contentPortion, documentContent, documentMatches, findInDocumentQuery } from "../domain/document-content.ts"
import {
  chunk,
  documentEntry,
  documentsQuery,
  queryCitation,
  queryCounts,
  queryFilter,
  queryFound,
  queryScope,
  querySource,
} from "../domain/documents.ts"
import { providerName } from "../domain/jobs/jobs.ts"
import { nextCursor, removeNul } from "../domain/schemas.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

export const ingestRequest = z.object({
  paths: boundedList(z.string().min(1).max(4096), { min: 1, max: 1000 }).describe(
    "Files, or folders that are read with all their subfolders, inside SERVICE_INGEST_ROOTS",
  ),
  prune: z.boolean().default(false).describe("Also remove documents under these paths whose files no longer exist"),
})
export type IngestRequest = z.infer<typeof ingestRequest>

const failedFile = z.object({
  path: z.string().describe("The path of the file"),
  detail: z.string().describe("Why it could not be read"),
})

const ingestResponse = z.object({
  ingested: z.int().min(0).describe("The number of new and changed documents"),
  chunks: z.int().min(0).describe("The number of chunks in them"),
  unchanged: z.int().min(0).describe("The number of documents that have not changed"),
  skipped: z.int().min(0).describe("Files in folders that were skipped because their format is not supported"),
  pruned: z.int().min(0).describe("Documents removed because their files no longer exist"),
  failed: z.array(failedFile).describe("Files that could not be read"),
})
export type IngestResponse = z.infer<typeof ingestResponse>

export const queryRequest = z.object({
  question: z.string().overwrite(removeNul).trim().min(1).max(MAX_QUESTION_CHARS).describe("The question"),
  top_k: z.int().min(1).max(100).optional().describe("Number of sources. The default is SERVICE_TOP_K"),
  scope: queryScope.default("all").describe("What to search: ingested files, transcripts of recordings, or both"),
  filter: queryFilter
    .optional()
    .describe(
      "Which recordings and documents to search. Every field that is given must match; of a list, one entry has to. A field about recordings excludes documents, and `documents` excludes recordings, unless both are given",
    ),
  thread_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "The thread that the question belongs to. It may refer to the questions before it, and the thread keeps its answer",
    ),
})
export type QueryRequest = z.infer<typeof queryRequest>
export type QueryInput = z.input<typeof queryRequest>

const rewrittenQuestion = z
  .string()
  .nullable()
  .describe("The whole question that a follow-up was understood as. Null if it was searched as asked")

export const queryResponse = z.object({
  answer: z.string().describe("The answer. `[n]` refers to the n-th source, counted from 1"),
  sources: z.array(querySource).describe("The chunks that the answer is based on, best first"),
  citations: z.array(queryCitation).describe("One entry for each `[n]` in the answer, in order"),
  provider: providerName.describe("What wrote the answer"),
  model: z.string().nullable().describe("The language model that wrote the answer. Null for the builtin provider"),
  rewritten_question: rewrittenQuestion,
  searched: queryCounts.describe("What was searched"),
  found: queryFound
    .nullable()
    .describe("What the answer consists of if no language model wrote it. Null otherwise, and if nothing answers"),
  turn: z.int().min(1).optional().describe("The number of the question in its thread"),
})
export type QueryResponse = z.infer<typeof queryResponse>

/** Events of a streamed answer: one `sources`, then `delta`s with text, then `done`, or `error` if the answer failed. */
const queryEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("sources").describe("The first event"),
    data: z
      .object({
        sources: z.array(querySource).describe("The chunks that the answer is based on, best first"),
        rewritten_question: rewrittenQuestion,
        searched: queryCounts.describe("What was searched"),
      })
      .describe("What the answer is based on"),
  }),
  z.object({
    event: z.literal("delta").describe("A part of the answer"),
    data: z.object({ text: z.string().describe("The text to append") }).describe("The part"),
  }),
  z.object({
    event: z.literal("done").describe("The last event"),
    data: queryResponse.omit({ sources: true }).describe("The whole answer"),
  }),
  z.object({
    event: z.literal("error").describe("The last event if the answer breaks off"),
    data: z.object({ detail: z.string().describe("Why it broke off") }).describe("The error"),
  }),
])
export type QueryEvent = z.infer<typeof queryEvent>

const documentList = z.object({
  documents: z.array(documentEntry).describe("A page of documents"),
  next_cursor: nextCursor,
})
export type DocumentList = z.infer<typeof documentList>

/** A document with its text. */
const documentText = documentEntry.extend({
  parts: z.array(chunk).describe("The indexed text in order. Neighbors overlap slightly"),
})
export type DocumentText = z.infer<typeof documentText>

const documentParams = z.object({ id: z.string().min(1).describe("The ID of the document") })

const portionParams = documentParams.extend({
  portion: z.coerce.number().int().min(0).max(1_000_000).describe("The position of the portion, from 0"),
})

export const documentEndpoints = {
  ingest: {
    method: "POST",
    path: "/ingest",
    scope: "write",
    summary: "Indexes files and folders for questions. Unchanged files are skipped and changed ones replaced",
    call: "ingest",
    body: { name: "IngestRequest", schema: ingestRequest, example: { paths: ["~/notes", "~/papers/bees.pdf"] } },
    response: { name: "IngestResponse", schema: ingestResponse },
    errors: [404, 503, 507],
  },
  query: {
    method: "POST",
    path: "/query",
    withoutKey: true,
    scope: "read",
    summary:
      "Answers a question. `[n]` in the answer refers to the n-th of the returned sources. With `Accept: text/event-stream`, streams the events `sources`, `delta` … and `done`",
    call: "query",
    body: {
      name: "QueryRequest",
      schema: queryRequest,
      example: { question: "What does the waggle dance encode?", top_k: 5 },
    },
    response: { name: "QueryResponse", schema: queryResponse },
    events: { name: "QueryEvent", schema: queryEvent },
    errors: [404, 503],
  },
  listDocuments: {
    method: "GET",
    path: "/documents",
    scope: "read",
    summary: "Lists the indexed documents and whether their files have changed since",
    call: "documents",
    query: documentsQuery,
    response: { name: "DocumentList", schema: documentList },
    fieldsOf: "documents",
    errors: [503],
  },
  addDocument: {
    method: "POST",
    path: "/documents",
    scope: "write",
    summary: "Uploads a document, stores its file and indexes it",
    call: "addDocument",
    upload: { file: "The document" },
    status: 201,
    response: { name: "DocumentAddResponse", schema: documentEntry.extend({ warnings: requestWarnings }) },
    location: "/documents/{id}",
    errors: [503, 507],
  },
  getDocument: {
    method: "GET",
    path: "/documents/{id}",
    scope: "read",
    summary: "Returns a document with its indexed text",
    call: "document",
    params: documentParams,
    response: { name: "DocumentText", schema: documentText },
    fieldsOf: "response",
    errors: [503],
  },
  documentContent: {
    method: "GET",
    path: "/documents/{id}/content",
    scope: "read",
    summary:
      "Returns the outline of a document and its portions: headings, paragraphs, lists, tables and code, read from its file",
    call: "documentContent",
    params: documentParams,
    response: { name: "DocumentContent", schema: documentContent },
    errors: [503],
  },
  documentPortion: {
    method: "GET",
    path: "/documents/{id}/content/{portion}",
    scope: "read",
    summary: "Returns a portion of the content of a document, and where its chunks are in it",
    call: "documentPortion",
    params: portionParams,
    response: { name: "ContentPortion", schema: contentPortion },
    errors: [422, 503],
  },
  findInDocument: {
    method: "GET",
    path: "/documents/{id}/find",
    scope: "read",
    summary: "Finds a text in the content of a document",
    call: "findInDocument",
    params: documentParams,
    query: findInDocumentQuery,
    response: { name: "DocumentMatches", schema: documentMatches },
    errors: [503],
  },
  removeDocument: {
    method: "DELETE",
    path: "/documents/{id}",
    scope: "write",
    summary: "Removes a document from the index. Its file is deleted only if it was uploaded",
    call: "removeDocument",
    params: documentParams,
    status: 204,
    errors: [503],
  },
  documentFile: {
    method: "GET",
    path: "/documents/{id}/file",
    scope: "read",
    summary: "Returns the current file of a document: a PDF for display, any other format as a download",
    call: "documentFileUrl",
    params: documentParams,
    types: ["application/pdf", "application/octet-stream"],
    headers: ["Content-Disposition"],
    errors: [403, 413, 422, 503],
  },
} as const satisfies Endpoints
