import { serve } from "#lib/http/route.ts"
import { createShare } from "#lib/services/shares/shares.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  createShare: (deps, { params, body }) => createShare(deps, params, body),
})
