import type { ZodType } from "zod"
import { clip, clipList, clipParams, clipPatch, clipsQuery, exportQuery } from "../../domain/clips.ts"
import {
  documentEntry,
  documentList,
  documentParams,
  documentText,
  ingestRequest,
  ingestResult,
  queryRequest,
  queryResult,
} from "../../domain/documents.ts"
import { health, readiness } from "../../domain/health.ts"
import { installation } from "../../domain/installation.ts"
import {
  audioJobRequest,
  jobList,
  jobParams,
  jobRecord,
  jobResult,
  jobsQuery,
  submitted,
} from "../../domain/jobs/jobs.ts"
import { searchResults, vizAssetParams, vizData, vizDataQuery, vizSearchQuery } from "../../domain/map.ts"
import { searchAnswer, searchQuery } from "../../domain/search.ts"
import { waveform } from "../../domain/transcript/waveform.ts"
import { wordEditParams, wordEdits, wordEditsRequest } from "../../domain/transcript/word-edits.ts"
import { SOURCE_OPERATIONS } from "./source-operations.ts"
import { TOPIC_OPERATIONS } from "./topic-operations.ts"

export type Operation = {
  readonly id: string
  readonly summary: string
  readonly tag: "service" | "jobs" | "clips" | "documents" | "map"
  readonly params?: ZodType
  readonly query?: ZodType
  readonly body?: ZodType
  /** Name of the body's schema; AudioJobRequest where it is not said. */
  readonly named?: { readonly name: string; readonly example: unknown }
  /** The same fields as text beside a file. */
  readonly form?: boolean
  /** The body is a form with one file and nothing else; what that file is. */
  readonly fileOnly?: string
  readonly status?: number
  readonly response?: { readonly name: string; readonly schema: ZodType; readonly example?: unknown }
  /** The kind of an answer that is not JSON. */
  readonly type?: string
  /** What it can refuse with beyond 405 and 403, which every path can. */
  readonly errors: readonly number[]
}

const JOB = "0199c0de-5f3a-7c1e-8a55-3f1d2b9e7a10"
const SESSION = "fa678091-b771-53c5-bb5c-b97259498be6"
const ANSWER = {
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
  provider: "builtin",
  model: null,
}
const accepted = { name: "Submitted", schema: submitted, example: { job_id: JOB, session_id: SESSION } }
const record = { name: "JobRecord", schema: jobRecord }

export type Operations = Readonly<
  Record<string, Readonly<Partial<Record<"get" | "post" | "patch" | "delete", Operation>>>>
>

/** Every path with its methods; the handlers of app/ have the same, and a test compares them. */
export const OPERATIONS: Operations = {
  "/health": {
    get: {
      id: "health",
      summary: "Whether the process answers",
      tag: "service",
      response: { name: "Health", schema: health, example: { status: "ok" } },
      errors: [],
    },
  },
  "/health/ready": {
    get: {
      id: "readiness",
      summary: "The state of store, broker, models, speech and worker; 503 with the same body when a vital one is down",
      tag: "service",
      response: { name: "Readiness", schema: readiness },
      errors: [],
    },
  },
  "/ingest": {
    post: {
      id: "ingest",
      summary: "Takes files and folders for questions; unchanged ones cost nothing, changed ones replace what was kept",
      tag: "documents",
      body: ingestRequest,
      named: { name: "IngestRequest", example: { paths: ["~/notes", "~/papers/bees.pdf"] } },
      response: {
        name: "IngestResult",
        schema: ingestResult,
        example: { ingested: 2, chunks: 31, unchanged: 5, skipped: 1, pruned: 0, failed: [] },
      },
      errors: [400, 404, 413, 415, 422, 503, 507],
    },
  },
  "/query": {
    post: {
      id: "query",
      summary:
        "Answers a question from the sources that it gives, `[n]` naming the n-th; with `Accept: text/event-stream` as events `sources`, `delta`…, `done`",
      tag: "documents",
      body: queryRequest,
      named: { name: "QueryRequest", example: { question: "What does the waggle dance encode?", top_k: 5 } },
      response: { name: "QueryResult", schema: queryResult, example: ANSWER },
      errors: [400, 413, 415, 422, 503],
    },
  },
  "/jobs": {
    get: {
      id: "listJobs",
      summary: "Jobs, newest first",
      tag: "jobs",
      query: jobsQuery,
      response: { name: "JobList", schema: jobList },
      errors: [422, 503],
    },
  },
  "/jobs/audio": {
    post: {
      id: "submitJob",
      summary: "Takes a recording: by address or path as JSON, or as a file in a form with the same fields as text",
      tag: "jobs",
      body: audioJobRequest,
      form: true,
      status: 202,
      response: accepted,
      errors: [400, 403, 413, 415, 422, 503, 507],
    },
  },
  "/jobs/{job_id}": {
    get: {
      id: "getJob",
      summary: "The state of a job",
      tag: "jobs",
      params: jobParams,
      response: record,
      errors: [404, 503],
    },
    delete: {
      id: "cancelJob",
      summary: "Cancels a job that has not ended",
      tag: "jobs",
      params: jobParams,
      response: record,
      errors: [404, 409, 503],
    },
  },
  "/jobs/{job_id}/result": {
    get: {
      id: "jobResult",
      summary: "The clip that a finished job made",
      tag: "jobs",
      params: jobParams,
      response: { name: "JobResult", schema: jobResult },
      errors: [404, 409, 503],
    },
  },
  "/jobs/{job_id}/retry": {
    post: {
      id: "retryJob",
      summary: "Starts a job again at the stages that did not finish",
      tag: "jobs",
      params: jobParams,
      status: 202,
      response: accepted,
      errors: [404, 409, 503],
    },
  },
  "/jobs/{job_id}/events": {
    get: {
      id: "jobEvents",
      summary: "Server-sent events: `progress` with a JobRecord at each change, `end` once",
      tag: "jobs",
      params: jobParams,
      type: "text/event-stream",
      errors: [404, 503],
    },
  },
  "/clips/{id}": {
    get: {
      id: "getClip",
      summary: "A recording with its transcript and topics",
      tag: "clips",
      params: clipParams,
      response: { name: "Clip", schema: clip },
      errors: [404, 503],
    },
    patch: {
      id: "editClip",
      summary: "Gives a clip a title, or its speakers names (merged by id; an empty name takes the name away)",
      tag: "clips",
      params: clipParams,
      body: clipPatch,
      named: { name: "ClipPatch", example: { title: "Keynote", speakers: { "0": "Ada", "1": "Grace" } } },
      response: { name: "Clip", schema: clip },
      errors: [400, 404, 413, 415, 422, 503, 507],
    },
    delete: {
      id: "deleteClip",
      summary: "Removes a clip with its jobs, topics and vectors, and its recording if it was uploaded",
      tag: "clips",
      params: clipParams,
      status: 204,
      errors: [404, 409, 503],
    },
  },
  "/clips": {
    get: {
      id: "listClips",
      summary: "Clips, newest first, without transcript and tree",
      tag: "clips",
      query: clipsQuery,
      response: { name: "ClipList", schema: clipList },
      errors: [422, 503],
    },
  },
  "/clips/{id}/audio": {
    get: {
      id: "clipAudio",
      summary: "The recording. A Range is answered with 206, one after its end with 416",
      tag: "clips",
      params: clipParams,
      type: "audio/*",
      errors: [404, 416, 503],
    },
  },
  "/clips/{id}/export": {
    get: {
      id: "exportClip",
      summary: "The clip as a file, with the speakers' names",
      tag: "clips",
      params: clipParams,
      query: exportQuery,
      type: "text/plain",
      errors: [404, 422, 503],
    },
  },
  ...TOPIC_OPERATIONS,
  ...SOURCE_OPERATIONS,
  "/clips/{id}/waveform": {
    get: {
      id: "clipWaveform",
      summary: "How loud the recording is over its time; decoded once, then kept",
      tag: "clips",
      params: clipParams,
      response: { name: "Waveform", schema: waveform, example: { duration_s: 12.5, peaks: [0, 31, 190, 255, 87] } },
      errors: [404, 415, 503],
    },
  },
  "/clips/{id}/edits": {
    get: {
      id: "listWordEdits",
      summary: "What was corrected in the transcript, in order",
      tag: "clips",
      params: clipParams,
      response: { name: "WordEdits", schema: wordEdits },
      errors: [404, 503],
    },
    post: {
      id: "editWords",
      summary: "Corrects words, says who spoke them, or that two voices are one; later runs get it too",
      tag: "clips",
      params: clipParams,
      body: wordEditsRequest,
      named: {
        name: "WordEditsRequest",
        example: {
          edits: [
            { kind: "text", start_s: 12.4, end_s: 13.1, words: ["Grace", "Hopper"] },
            { kind: "speaker", start_s: 40, end_s: 52.5, speaker: "1" },
            { kind: "merge", from: "2", into: "0" },
          ],
        },
      },
      response: { name: "WordEdits", schema: wordEdits },
      errors: [400, 404, 413, 415, 422, 503, 507],
    },
  },
  "/clips/{id}/edits/{edit_id}": {
    delete: {
      id: "dropWordEdit",
      summary: "Takes one correction back",
      tag: "clips",
      params: wordEditParams,
      status: 204,
      errors: [404, 422, 503],
    },
  },
  "/search": {
    get: {
      id: "search",
      summary: "Finds words in titles, topics and speech, each with the second at which it was said",
      tag: "clips",
      query: searchQuery,
      response: { name: "SearchAnswer", schema: searchAnswer },
      errors: [422, 503],
    },
  },
  "/documents": {
    get: {
      id: "listDocuments",
      summary: "The files that questions are answered from, and what has become of them since",
      tag: "documents",
      response: { name: "DocumentList", schema: documentList },
      errors: [503],
    },
    post: {
      id: "addDocument",
      summary: "Takes a document that is sent, and keeps its file",
      tag: "documents",
      fileOnly: "The document",
      status: 201,
      response: { name: "DocumentEntry", schema: documentEntry },
      errors: [400, 413, 415, 422, 503, 507],
    },
  },
  "/documents/{id}": {
    get: {
      id: "getDocument",
      summary: "A document with the text that is searched",
      tag: "documents",
      params: documentParams,
      response: { name: "DocumentText", schema: documentText },
      errors: [404, 503],
    },
    delete: {
      id: "removeDocument",
      summary: "Forgets a document; its file goes only if it was sent to the service",
      tag: "documents",
      params: documentParams,
      status: 204,
      errors: [404, 503],
    },
  },
  "/documents/{id}/file": {
    get: {
      id: "documentFile",
      summary: "The document's file as it lies there now: a PDF to be read in the browser, anything else to be saved",
      tag: "documents",
      params: documentParams,
      type: "application/octet-stream",
      errors: [403, 404, 413, 422, 503],
    },
  },
  "/installation": {
    get: {
      id: "installation",
      summary: "Which engines were chosen and why, what waits in the queues, who works",
      tag: "service",
      response: { name: "Installation", schema: installation },
      errors: [503],
    },
  },
  "/viz/data": {
    get: {
      id: "vizData",
      summary: "The map: points, edges and clusters. Answers 304 to an If-None-Match with its ETag",
      tag: "map",
      query: vizDataQuery,
      response: { name: "VizData", schema: vizData },
      errors: [404, 422, 503],
    },
  },
  "/viz/search": {
    get: {
      id: "vizSearch",
      summary: "Topics by meaning, best first",
      tag: "map",
      query: vizSearchQuery,
      response: { name: "SearchResults", schema: searchResults },
      errors: [404, 422, 503],
    },
  },
  "/viz-assets/{path}": {
    get: {
      id: "vizAsset",
      summary: "A file of the map; `manifest.json` lists them",
      tag: "map",
      params: vizAssetParams,
      type: "application/octet-stream",
      errors: [400, 404],
    },
  },
  "/openapi.json": {
    get: { id: "openapi", summary: "This document", tag: "service", type: "application/json", errors: [] },
  },
}
