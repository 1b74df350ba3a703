import { etagResponse } from "#lib/http/responses/etag-response.ts"
import { openApiContent } from "#lib/http/responses/openapi.ts"
import { serve } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  openapi: async (_deps, { request }) => etagResponse(request, openApiContent()),
})
