import { serve } from "#lib/http/route.ts"
import { countFacets } from "#lib/services/clips/list-clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  clipFacets: (deps) => countFacets(deps),
})
