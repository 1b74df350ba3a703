import { serve } from "#lib/http/route.ts"
import { revokeShare } from "#lib/services/shares/shares.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  revokeShare: (deps, { params }) => revokeShare(deps, params),
})
