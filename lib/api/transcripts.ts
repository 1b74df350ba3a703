import * as z from "zod"
import { boundedList } from "../domain/bounded.ts"
import { transcriptionSettings } from "../domain/jobs/jobs.ts"
import { storedWordEdit, wordEdit } from "../domain/transcript/word-edits.ts"
import { clipParams } from "./clips.ts"
import type { Endpoints } from "./endpoint.ts"
import { submittedResponse } from "./jobs.ts"

const wordEditParams = clipParams.extend({ edit_id: z.coerce.number().int().min(0).describe("The ID of the edit") })

const wordEditsRequest = z.object({
  edits: boundedList(wordEdit, { min: 1, max: 200 }).describe("The edits, which are made in this order"),
})
export type WordEditsRequest = z.infer<typeof wordEditsRequest>

const wordEdits = z.object({ edits: z.array(storedWordEdit).describe("All edits of the clip, oldest first") })
export type WordEdits = z.infer<typeof wordEdits>

const wordEditsResponse = { name: "WordEdits", schema: wordEdits } as const

export const transcriptEndpoints = {
  retranscribe: {
    method: "POST",
    path: "/clips/{id}/transcript",
    scope: "write",
    summary: "Creates a job that transcribes a clip again and finds its topics. Word edits are reapplied",
    call: "retranscribe",
    needs: ["rag", "broker"],
    params: clipParams,
    body: {
      name: "TranscriptionSettings",
      schema: transcriptionSettings,
      example: { speech_engine: "sherpa", speakers: 2 },
    },
    status: 202,
    response: submittedResponse,
    location: "/jobs/{job_id}",
    errors: [409, 507],
  },
  listWordEdits: {
    method: "GET",
    path: "/clips/{id}/edits",
    scope: "read",
    summary: "Lists the word edits of a clip in the order in which they were made",
    call: "wordEdits",
    needs: ["rag"],
    params: clipParams,
    response: wordEditsResponse,
    isVersioned: true,
  },
  editWords: {
    method: "POST",
    path: "/clips/{id}/edits",
    scope: "write",
    summary: "Corrects words, assigns them to a speaker or merges two speakers. Re-transcription reapplies the edits",
    call: "editWords",
    needs: ["rag"],
    params: clipParams,
    body: {
      name: "WordEditsRequest",
      schema: wordEditsRequest,
      example: {
        edits: [
          { kind: "text", start_s: 12.4, end_s: 13.1, words: ["Grace", "Hopper"] },
          { kind: "speaker", start_s: 40, end_s: 52.5, speaker: "1" },
          { kind: "merge", from: "2", into: "0" },
        ],
      },
    },
    response: wordEditsResponse,
    errors: [507],
    isVersioned: true,
  },
  dropWordEdit: {
    method: "DELETE",
    path: "/clips/{id}/edits/{edit_id}",
    scope: "write",
    summary: "Deletes a word edit",
    call: "dropWordEdit",
    needs: ["rag"],
    params: wordEditParams,
    status: 204,
    errors: [422],
    isVersioned: true,
  },
} as const satisfies Endpoints
