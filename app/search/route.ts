import { serve } from "#lib/http/route.ts"
import { searchWithRegions } from "#lib/services/search/search-with-regions.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  search: (deps, { query }) => searchWithRegions(deps, query),
})
