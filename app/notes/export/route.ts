import { exportResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { exportNotes } from "#lib/services/notes/export-notes.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  exportNotes: async (deps, { query }) => exportResponse(await exportNotes(deps, query)),
})
