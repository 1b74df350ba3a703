import * as z from "zod"
import { clip, clipFilters, clipList, clipPatch, clipRegions, clipsQuery, exportFormat } from "../domain/clips.ts"
import { labelRequest, labelResponse } from "../domain/tags.ts"
import { waveform } from "../domain/transcript/waveform.ts"
import { MAX_SECONDS } from "../domain/transcript/words.ts"
import type { Endpoints } from "./endpoint.ts"

export const clipParams = z.object({
  id: z.string().min(1).describe("The ID of the clip: the `session_id` of its job"),
})

const exportQuery = z.object({
  format: exportFormat.describe("The format of the file"),
  with_audio: z
    .stringbool()
    .default(false)
    .describe("With the format `html`: true to put the recording into the page, which then plays it without a network"),
  with_notes: z
    .stringbool()
    .default(false)
    .describe("True to add highlights and notes, in the formats `md`, `json`, `html`, `docx` and `pdf`"),
  with_summaries: z
    .stringbool()
    .default(false)
    .describe("True to add the summaries that were made from templates, in the same formats"),
})

const excerptQuery = z.object({
  start_s: z.coerce.number().min(0).max(MAX_SECONDS).describe("Where the part starts, in seconds"),
  end_s: z.coerce
    .number()
    .min(0)
    .max(MAX_SECONDS)
    .describe("Where the part ends, in seconds. Parts have at most four hours"),
})

/** The number of clips that a request can name in its address. Proxies limit the length of addresses. */
const MAX_ARCHIVED_IDS = 200

const archiveQuery = clipFilters.extend({
  format: exportFormat.describe("The format of the files"),
  ids: z
    .string()
    .transform((list) => list.split(",").map((id) => id.trim()))
    .pipe(z.array(z.string().min(1).max(200)).max(MAX_ARCHIVED_IDS))
    .optional()
    .describe("Only these clips, separated by commas. Unknown ones are left out"),
})

/** The media types of the export formats. */
const EXPORT_TYPES = [
  "application/x-subrip",
  "text/vtt",
  "text/plain",
  "text/markdown",
  "application/json",
  "application/json+chapters",
  "text/html",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/pdf",
]

const attachAudioRequest = z.object({
  source: z
    .string()
    .trim()
    .min(1)
    .max(4096)
    .describe("The recording: `upload:` and the ID of a finished upload, or a path inside the allowed folders"),
})

const clipResponse = { name: "Clip", schema: clip } as const

export const clipEndpoints = {
  listClips: {
    method: "GET",
    path: "/clips",
    scope: "read",
    summary: "Lists clips without their transcripts and topic trees, newest first",
    call: "clips",
    needs: ["rag"],
    query: clipsQuery,
    response: { name: "ClipList", schema: clipList },
    fieldsOf: "clips",
  },
  labelClips: {
    method: "PATCH",
    path: "/clips",
    scope: "write",
    summary: "Adds tags to several clips, removes tags, or marks clips as favorites",
    call: "labelClips",
    needs: ["rag"],
    body: {
      name: "LabelRequest",
      schema: labelRequest,
      example: { ids: ["fa678091-b771-53c5-bb5c-b97259498be6"], add_tags: ["interviews"], remove_tags: ["inbox"] },
    },
    response: { name: "LabelResponse", schema: labelResponse },
    errors: [507],
  },
  exportClips: {
    method: "GET",
    path: "/clips/export",
    scope: "read",
    summary: "Downloads several clips as one zip file with a file for each. Without filters, all clips",
    needs: ["rag"],
    query: archiveQuery,
    types: ["application/zip"],
    headers: ["Content-Disposition"],
    errors: [404],
  },
  getClip: {
    method: "GET",
    path: "/clips/{id}",
    scope: "read",
    summary: "Returns a clip with its transcript and topics",
    call: "clip",
    needs: ["rag"],
    params: clipParams,
    response: clipResponse,
    fieldsOf: "response",
    isVersioned: true,
  },
  editClip: {
    method: "PATCH",
    path: "/clips/{id}",
    scope: "write",
    summary:
      "Updates a clip's title, the names of its speakers, its tags or its mark as a favorite. Names are merged by speaker ID; an empty name removes one",
    call: "editClip",
    needs: ["rag"],
    params: clipParams,
    body: {
      name: "ClipPatch",
      schema: clipPatch,
      example: { title: "Keynote", speakers: { "0": "Ada", "1": "Grace" }, tags: ["interviews"], favorite: true },
    },
    response: clipResponse,
    errors: [507],
    isVersioned: true,
  },
  deleteClip: {
    method: "DELETE",
    path: "/clips/{id}",
    scope: "write",
    summary: "Deletes a clip with its jobs, topics, vectors and uploaded file. Files at a path of yours are kept",
    call: "deleteClip",
    needs: ["rag"],
    params: clipParams,
    status: 204,
    errors: [409],
    isVersioned: true,
  },
  attachAudio: {
    method: "POST",
    path: "/clips/{id}/audio",
    scope: "write",
    summary:
      "Attaches a recording to a clip that has only a transcript. It is not transcribed; its length must fit the transcript",
    call: "attachAudio",
    needs: ["rag"],
    params: clipParams,
    body: {
      name: "AttachAudioRequest",
      schema: attachAudioRequest,
      example: { source: "upload:01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10" },
    },
    response: clipResponse,
    errors: [403, 409, 415],
  },
  clipAudio: {
    method: "GET",
    path: "/clips/{id}/audio",
    scope: "read",
    summary: "Returns the audio of a clip. Supports range requests",
    call: "audioUrl",
    needs: ["rag"],
    params: clipParams,
    types: ["audio/*"],
    headers: ["ETag", "Last-Modified", "Accept-Ranges"],
    otherStatuses: {
      206: {
        description: "The requested range",
        hasBody: true,
        headers: ["ETag", "Last-Modified", "Accept-Ranges", "Content-Range"],
      },
      304: { description: "Not modified", headers: ["ETag"] },
      307: {
        description: "Redirect to the object storage, if SERVICE_BLOB_REDIRECT is set",
        headers: ["Location"],
      },
    },
    errors: [416],
  },
  exportClip: {
    method: "GET",
    path: "/clips/{id}/export",
    scope: "read",
    summary: "Downloads a clip as a file, with the names of its speakers",
    call: "exportClip",
    needs: ["rag"],
    params: clipParams,
    query: exportQuery,
    types: EXPORT_TYPES,
    headers: ["Content-Disposition"],
    errors: [413],
  },
  clipArchive: {
    method: "GET",
    path: "/clips/{id}/archive",
    scope: "read",
    summary: "Downloads everything of a clip as one zip file: a file per export format, and the recording",
    call: "archiveUrl",
    needs: ["rag"],
    params: clipParams,
    types: ["application/zip"],
    headers: ["Content-Disposition"],
  },
  audioExcerpt: {
    method: "GET",
    path: "/clips/{id}/audio/excerpt",
    scope: "read",
    summary: "Returns a part of the audio of a clip as MP3. Supports range requests",
    call: "audioExcerptUrl",
    needs: ["rag"],
    params: clipParams,
    query: excerptQuery,
    types: ["audio/mpeg"],
    headers: ["ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"],
    otherStatuses: {
      206: {
        description: "The requested range",
        hasBody: true,
        headers: ["ETag", "Last-Modified", "Accept-Ranges", "Content-Range"],
      },
      304: { description: "Not modified", headers: ["ETag"] },
    },
    errors: [415, 416],
  },
  clipRegions: {
    method: "GET",
    path: "/clips/{id}/regions",
    scope: "read",
    summary: "Returns the region of the map that each topic of a clip is in",
    call: "clipRegions",
    needs: ["rag"],
    params: clipParams,
    response: { name: "ClipRegions", schema: clipRegions },
  },
  clipWaveform: {
    method: "GET",
    path: "/clips/{id}/waveform",
    scope: "read",
    summary: "Returns the loudness of a clip over time. The first request decodes the recording; later ones are fast",
    call: "waveform",
    needs: ["rag"],
    params: clipParams,
    response: { name: "Waveform", schema: waveform },
    errors: [415],
  },
} as const satisfies Endpoints
