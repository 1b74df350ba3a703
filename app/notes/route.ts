import { serve } from "#lib/http/route.ts"
import { createNote, listNotes } from "#lib/services/notes/notes.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listNotes: (deps, { query }) => listNotes(deps, query),
  createNote: (deps, { body }) => createNote(deps, body),
})
