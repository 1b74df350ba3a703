import { serve } from "#lib/http/route.ts"
import { deleteClip } from "#lib/services/clips/delete-clip.ts"
import { editClip } from "#lib/services/clips/edit-clip.ts"
import { getClip } from "#lib/services/clips/get-clip.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getClip: (deps, { params }) => getClip(deps, params),
  editClip: (deps, { params, body }) => editClip(deps, params, body),
  deleteClip: (deps, { params }) => deleteClip(deps, params),
})
