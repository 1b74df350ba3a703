import { vizSearchQuery as query, searchResults as response } from "#lib/domain/map.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { vizSearch } from "#lib/services/map/map-search.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ partOf: "rag", query, response, run: (deps, input) => vizSearch(deps, input.query) }),
})
