import { openApi } from "#lib/http/openapi.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { tagged } from "#lib/http/tagged.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ run: async (_deps, { request }) => tagged(request, openApi()) }),
})
