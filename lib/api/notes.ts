import * as z from "zod"
import { note, noteList, notePatch, noteRequest, notesExportQuery, notesQuery } from "../domain/notes.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const noteParams = z.object({ id: z.string().min(1).describe("The ID of the note") })

const noteResponse = { name: "Note", schema: note } as const

export const noteEndpoints = {
  listNotes: {
    method: "GET",
    path: "/notes",
    scope: "read",
    summary: "Lists highlights and notes of all clips and of the library, newest first",
    call: "notes",
    needs: ["rag"],
    query: notesQuery,
    response: { name: "NoteList", schema: noteList },
  },
  createNote: {
    method: "POST",
    path: "/notes",
    scope: "write",
    summary:
      "Highlights words of a clip, writes a note on them, or writes a note on a clip or the library. Transcriptions and topic runs leave notes alone",
    call: "createNote",
    needs: ["rag"],
    body: {
      name: "NoteRequest",
      schema: noteRequest,
      example: {
        clip_id: "fa678091-b771-53c5-bb5c-b97259498be6",
        start_s: 12.4,
        end_s: 15.2,
        color: "green",
        text: "Quote this in the summary.",
      },
    },
    status: 201,
    response: { name: "CreatedNote", schema: note.extend({ warnings: requestWarnings }) },
    location: "/notes/{id}",
    errors: [404, 409, 507],
  },
  exportNotes: {
    method: "GET",
    path: "/notes/export",
    scope: "read",
    summary: "Downloads highlights and notes as Markdown or JSON",
    needs: ["rag"],
    query: notesExportQuery,
    types: ["text/markdown", "application/json"],
    headers: ["Content-Disposition"],
  },
  getNote: {
    method: "GET",
    path: "/notes/{id}",
    scope: "read",
    summary: "Returns a highlight or note",
    call: "note",
    needs: ["rag"],
    params: noteParams,
    response: noteResponse,
    isVersioned: true,
  },
  editNote: {
    method: "PATCH",
    path: "/notes/{id}",
    scope: "write",
    summary: "Changes the text or the color of a note",
    call: "editNote",
    needs: ["rag"],
    params: noteParams,
    body: { name: "NotePatch", schema: notePatch, example: { text: "Checked.", color: "blue" } },
    response: noteResponse,
    errors: [507],
    isVersioned: true,
  },
  deleteNote: {
    method: "DELETE",
    path: "/notes/{id}",
    scope: "write",
    summary: "Deletes a highlight or note",
    call: "deleteNote",
    needs: ["rag"],
    params: noteParams,
    status: 204,
    isVersioned: true,
  },
} as const satisfies Endpoints
