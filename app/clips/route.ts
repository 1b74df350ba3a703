import { serve } from "#lib/http/route.ts"
import { listClips } from "#lib/services/clips/clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listClips: (deps, { query }) => listClips(deps, query),
})
