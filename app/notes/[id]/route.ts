import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { deleteNote, editNote, getNote } from "#lib/services/notes/notes.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getNote: async (deps, { params, request }) => {
    const note = await getNote(deps, params)
    return ifChanged(
      request,
      async () => note.etag,
      async () => note,
    )
  },
  editNote: (deps, { params, body, ifMatch }) => editNote(deps, params, body, ifMatch),
  deleteNote: (deps, { params, ifMatch }) => deleteNote(deps, params, ifMatch),
})
