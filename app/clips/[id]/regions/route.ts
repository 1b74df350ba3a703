import { serve } from "#lib/http/route.ts"
import { getClipRegions } from "#lib/services/clips/clip-regions.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  clipRegions: (deps, { params }) => getClipRegions(deps, params),
})
