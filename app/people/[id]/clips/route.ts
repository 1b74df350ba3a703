import { serve } from "#lib/http/route.ts"
import { listPersonClips } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listPersonClips: (deps, { params, query }) => listPersonClips(deps, params, query),
})
