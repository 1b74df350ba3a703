import * as z from "zod"
import {
  MAX_HITS_PER_CLIP,
  previewRequest,
  replacement,
  replacementHit,
  replacementRequest,
  skippedHit,
} from "../domain/replacements.ts"
import { nextCursor } from "../domain/schemas.ts"
import type { Endpoints } from "./endpoint.ts"

const clipHits = z.object({
  clip_id: z.string().describe("The clip"),
  title: z.string().describe("The title of the clip"),
  total: z.int().describe("The number of hits in the clip"),
  hits: z.array(replacementHit).describe(`The first ${MAX_HITS_PER_CLIP} hits, in order of time`),
})

const replacementPreview = z.object({
  clips: z.array(clipHits).describe("The clips with hits"),
  searched: z.int().describe("The number of clips that this call has searched"),
  total: z.int().optional().describe("The number of clips of the library. Only in the first response"),
  next_cursor: nextCursor,
})
export type ReplacementPreview = z.infer<typeof replacementPreview>

const changes = {
  edits: z.int().describe("The number of word edits"),
  clips: z.int().describe("The number of clips with these edits"),
}

const replacementResult = z.object({
  id: z.string().describe("The ID of the replacement, to add to it or to undo it"),
  ...changes,
  skipped: z.array(skippedHit).describe("The hits that were left alone"),
})
export type ReplacementResult = z.infer<typeof replacementResult>

const replacementList = z.object({
  replacements: z.array(replacement).describe("The replacements with stored edits, newest first, 100 at most"),
})
export type ReplacementList = z.infer<typeof replacementList>

const undoneReplacement = z.object(changes)
export type UndoneReplacement = z.infer<typeof undoneReplacement>

const WHAT = { find: "cuban eddies", replace_with: "Kubernetes" }

export const replacementEndpoints = {
  previewReplacement: {
    method: "POST",
    path: "/replacements/preview",
    scope: "read",
    summary: "Finds a text in one transcript or in all, with the words around each hit. Changes nothing",
    call: "previewReplacement",
    needs: ["rag"],
    body: { name: "ReplacementPreviewRequest", schema: previewRequest, example: WHAT },
    response: { name: "ReplacementPreview", schema: replacementPreview },
    errors: [404],
  },
  replaceHits: {
    method: "POST",
    path: "/replacements",
    scope: "write",
    summary: "Replaces hits of a preview by word edits. Re-transcription reapplies them, and they are undone together",
    call: "replace",
    needs: ["rag"],
    body: {
      name: "ReplacementRequest",
      schema: replacementRequest,
      example: {
        ...WHAT,
        hits: [
          {
            clip_id: "fa678091-b771-53c5-bb5c-b97259498be6",
            start_s: 12.4,
            end_s: 13.1,
            speaker: "0",
            text: "Cuban eddies,",
          },
        ],
      },
    },
    response: { name: "ReplacementResult", schema: replacementResult },
    errors: [404, 507],
  },
  listReplacements: {
    method: "GET",
    path: "/replacements",
    scope: "read",
    summary: "Lists the replacements that can be undone, newest first",
    call: "replacements",
    needs: ["rag"],
    response: { name: "ReplacementList", schema: replacementList },
  },
  undoReplacement: {
    method: "DELETE",
    path: "/replacements/{id}",
    scope: "write",
    summary: "Undoes a replacement: removes its word edits from all clips",
    call: "undoReplacement",
    needs: ["rag"],
    params: z.object({ id: z.string().min(1).describe("The ID of the replacement") }),
    response: { name: "UndoneReplacement", schema: undoneReplacement },
  },
} as const satisfies Endpoints
