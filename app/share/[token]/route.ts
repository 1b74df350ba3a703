import { sharedPageResponse } from "#lib/http/responses/share-responses.ts"
import { serve } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  openShare: (deps, { params, request }) => sharedPageResponse(deps, params.token, request),
})
