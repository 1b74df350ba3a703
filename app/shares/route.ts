import { serve } from "#lib/http/route.ts"
import { listShares } from "#lib/services/shares/shares.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listShares: (deps, { query }) => listShares(deps, query),
})
