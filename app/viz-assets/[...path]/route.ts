import { etagResponse } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { getVizAsset } from "#lib/services/map/map-asset.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  vizAsset: async (deps, { params, request }) => etagResponse(request, await getVizAsset(deps, params)),
})
