import { mapResponse } from "#lib/http/responses/map-response.ts"
import { serve } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  vizData: (deps, input) => mapResponse(deps, input),
})
