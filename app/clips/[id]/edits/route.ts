import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { getClipEtag } from "#lib/services/clips/clips.ts"
import { editWords, listWordEdits } from "#lib/services/clips/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listWordEdits: (deps, { params, request }) =>
    ifChanged(
      request,
      () => getClipEtag(deps, params, ["transcript"]),
      () => listWordEdits(deps, params),
    ),
  editWords: (deps, { params, body, ifMatch }) => editWords(deps, params, body, ifMatch),
})
