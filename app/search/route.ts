import { serve } from "#lib/http/route.ts"
import { searchLibrary } from "#lib/services/search/search-library.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  search: (deps, { query }) => searchLibrary(deps, query),
})
