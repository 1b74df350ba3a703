import { vizAssetParams as params } from "#lib/contracts/viz.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { tagged } from "#lib/http/tagged.ts"
import { getVizAsset } from "#lib/services/viz-asset.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    partOf: "rag",
    params,
    run: async (deps, input) => tagged(input.request, await getVizAsset(deps, input.params)),
  }),
})
