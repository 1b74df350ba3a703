import { serve } from "#lib/http/route.ts"
import { searchViz } from "#lib/services/map/map-search.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  vizSearch: (deps, { query }) => searchViz(deps, query),
})
