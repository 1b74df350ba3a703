import { serve } from "#lib/http/route.ts"
import { retranscribe } from "#lib/services/clips/retranscribe.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  retranscribe: (deps, { params, body, operationId }) => retranscribe(deps, params, body, operationId),
})
