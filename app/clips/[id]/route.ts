import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { deleteClip, editClip, getClip, getClipEtag } from "#lib/services/clips/clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getClip: (deps, { params, request }) =>
    ifChanged(
      request,
      () => getClipEtag(deps, params),
      () => getClip(deps, params),
    ),
  editClip: (deps, { params, body, ifMatch }) => editClip(deps, params, body, ifMatch),
  deleteClip: (deps, { params, ifMatch }) => deleteClip(deps, params, ifMatch),
})
