import { serve } from "#lib/http/route.ts"
import { deleteClip, editClip, getClip } from "#lib/services/clips/clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getClip: (deps, { params }) => getClip(deps, params),
  editClip: (deps, { params, body }) => editClip(deps, params, body),
  deleteClip: (deps, { params }) => deleteClip(deps, params),
})
