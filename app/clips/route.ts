import { serve } from "#lib/http/route.ts"
import { labelClips } from "#lib/services/clips/labels.ts"
import { listClips } from "#lib/services/clips/list-clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listClips: (deps, { query, fields }) => listClips(deps, query, fields),
  labelClips: (deps, { body }) => labelClips(deps, body),
})
