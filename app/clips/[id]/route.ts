import { toWordColumns } from "#lib/domain/transcript/word-columns.ts"
import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { deleteClip, editClip, getClip, getClipEtag } from "#lib/services/clips/clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getClip: (deps, { params, request, fields }) =>
    ifChanged(
      request,
      () => getClipEtag(deps, params),
      async () => {
        const clip = await getClip(deps, params)
        return fields?.includes("word_columns") ? { ...clip, word_columns: toWordColumns(clip.transcription) } : clip
      },
    ),
  editClip: (deps, { params, body, ifMatch }) => editClip(deps, params, body, ifMatch),
  deleteClip: (deps, { params, ifMatch }) => deleteClip(deps, params, ifMatch),
})
