import * as z from "zod"
import { boundedList } from "../domain/bounded.ts"
import { MAX_QUESTION_CHARS } from "../domain/constants.ts"
import { chunk, documentEntry, queryCitation, queryScope, querySource } from "../domain/documents.ts"
import { providerName } from "../domain/jobs/jobs.ts"
import { removeNul } from "../domain/schemas.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

export const ingestRequest = z.object({
  /** Files, or folders that are read with all their subfolders, inside SERVICE_INGEST_ROOTS. */
  paths: boundedList(z.string().min(1).max(4096), { min: 1, max: 1000 }),
  /** Also remove documents under these paths whose files no longer exist. */
  prune: z.boolean().default(false),
})
export type IngestRequest = z.infer<typeof ingestRequest>

const ingestResult = z.object({
  /** New and changed documents, and the number of chunks in them. */
  ingested: z.int().min(0),
  chunks: z.int().min(0),
  unchanged: z.int().min(0),
  /** Files in folders that were skipped because their format is not supported. */
  skipped: z.int().min(0),
  /** Documents removed because their files no longer exist. */
  pruned: z.int().min(0),
  failed: z.array(z.object({ path: z.string(), detail: z.string() })),
})
export type IngestResult = z.infer<typeof ingestResult>

export const queryRequest = z.object({
  question: z.string().overwrite(removeNul).trim().min(1).max(MAX_QUESTION_CHARS),
  /** Number of sources. The default is SERVICE_TOP_K. */
  top_k: z.int().min(1).max(100).optional(),
  scope: queryScope.default("documents"),
})
export type QueryRequest = z.infer<typeof queryRequest>
export type QueryInput = z.input<typeof queryRequest>

/** `[n]` in the answer refers to the n-th source, counted from 1. `citations` has one entry for each, in order. */
export const queryResult = z.object({
  answer: z.string(),
  sources: z.array(querySource),
  citations: z.array(queryCitation),
  provider: providerName,
  model: z.string().nullable(),
})
export type QueryResult = z.infer<typeof queryResult>

/** Events of a streamed answer: one `sources`, then `delta`s with text, then `done`, or `error` if the answer failed. */
const queryEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("sources"), data: z.object({ sources: z.array(querySource) }) }),
  z.object({ event: z.literal("delta"), data: z.object({ text: z.string() }) }),
  z.object({ event: z.literal("done"), data: queryResult.omit({ sources: true }) }),
  z.object({ event: z.literal("error"), data: z.object({ detail: z.string() }) }),
])
export type QueryEvent = z.infer<typeof queryEvent>

const documentList = z.object({ documents: z.array(documentEntry) })
export type DocumentList = z.infer<typeof documentList>

/** A document with its text as chunks, which overlap slightly. */
const documentText = documentEntry.extend({ parts: z.array(chunk) })
export type DocumentText = z.infer<typeof documentText>

const documentParams = z.object({ id: z.string().min(1) })

export const documentEndpoints = {
  ingest: {
    method: "POST",
    path: "/ingest",
    summary: "Indexes files and folders for questions. Unchanged files are skipped and changed ones replaced",
    call: "ingest",
    body: { name: "IngestRequest", schema: ingestRequest, example: { paths: ["~/notes", "~/papers/bees.pdf"] } },
    response: {
      name: "IngestResult",
      schema: ingestResult,
      example: { ingested: 2, chunks: 31, unchanged: 5, skipped: 1, pruned: 0, failed: [] },
    },
    errors: [404, 503, 507],
  },
  query: {
    method: "POST",
    path: "/query",
    readOnly: true,
    summary:
      "Answers a question. `[n]` in the answer refers to the n-th of the returned sources. With `Accept: text/event-stream`, streams the events `sources`, `delta` … and `done`",
    call: "query",
    body: {
      name: "QueryRequest",
      schema: queryRequest,
      example: { question: "What does the waggle dance encode?", top_k: 5 },
    },
    response: {
      name: "QueryResult",
      schema: queryResult,
      example: {
        answer: "The waggle dance encodes direction and distance. [1]",
        sources: [
          {
            chunk: {
              id: "fa678091-b771-53c5-bb5c-b97259498be6:0",
              doc_id: "fa678091-b771-53c5-bb5c-b97259498be6",
              text: "The waggle dance encodes direction and distance.",
              metadata: { source: "/home/ada/notes/bees.md", title: "Bees", heading: "Dances" },
            },
            score: 0.98,
          },
        ],
        citations: [{ source: 1 }],
        provider: "builtin",
        model: null,
      },
    },
    events: queryEvent,
    errors: [503],
  },
  listDocuments: {
    method: "GET",
    path: "/documents",
    summary: "Lists the indexed documents and whether their files have changed since",
    call: "documents",
    response: { name: "DocumentList", schema: documentList },
    errors: [503],
  },
  addDocument: {
    method: "POST",
    path: "/documents",
    summary: "Uploads a document, stores its file and indexes it",
    call: "addDocument",
    upload: { file: "The document" },
    status: 201,
    response: { name: "DocumentEntry", schema: documentEntry.extend({ warnings: requestWarnings }) },
    location: "/documents/{id}",
    errors: [503, 507],
  },
  getDocument: {
    method: "GET",
    path: "/documents/{id}",
    summary: "Returns a document with its indexed text",
    call: "document",
    params: documentParams,
    response: { name: "DocumentText", schema: documentText },
    errors: [503],
  },
  removeDocument: {
    method: "DELETE",
    path: "/documents/{id}",
    summary: "Removes a document from the index. Its file is deleted only if it was uploaded",
    call: "removeDocument",
    params: documentParams,
    status: 204,
    errors: [503],
  },
  documentFile: {
    method: "GET",
    path: "/documents/{id}/file",
    summary: "Returns the current file of a document: a PDF for display, any other format as a download",
    call: "documentFileUrl",
    params: documentParams,
    type: "application/octet-stream",
    errors: [403, 413, 422, 503],
  },
} as const satisfies Endpoints
