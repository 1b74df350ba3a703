import { searchQuery as query, searchAnswer as response } from "#lib/domain/search.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { searchLibrary } from "#lib/services/search/search-library.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], query, response, run: (deps, { query }) => searchLibrary(deps, query) }),
})
