import { vizAssetParams as params } from "#lib/domain/map.ts"
import { etagResponse } from "#lib/http/responses/etag-response.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getVizAsset } from "#lib/services/map/map-asset.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    partOf: "rag",
    params,
    run: async (deps, input) => etagResponse(input.request, await getVizAsset(deps, input.params)),
  }),
})
