import { serve } from "#lib/http/route.ts"
import { listDeliveries } from "#lib/services/webhooks/webhooks.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listDeliveries: (deps, { params, query }) => listDeliveries(deps, params, query),
})
