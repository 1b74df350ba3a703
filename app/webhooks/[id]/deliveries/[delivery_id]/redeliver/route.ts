import { serve } from "#lib/http/route.ts"
import { redeliver } from "#lib/services/webhooks/webhooks.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  redeliver: (deps, { params }) => redeliver(deps, params),
})
