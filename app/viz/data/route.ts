import { vizDataQuery as query } from "#lib/domain/map.ts"
import { mapResponse } from "#lib/http/responses/map-response.ts"
import { endpoint, route } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ partOf: "rag", query, run: (deps, input) => mapResponse(deps, input) }),
})
