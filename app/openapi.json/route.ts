import { etagResponse } from "#lib/http/responses/etag-response.ts"
import { openApi } from "#lib/http/responses/openapi.ts"
import { endpoint, route } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ run: async (_deps, { request }) => etagResponse(request, openApi()) }),
})
