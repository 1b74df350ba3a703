import { serve } from "#lib/http/route.ts"
import { revokeToken } from "#lib/services/tokens/tokens.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  revokeToken: (deps, { params }) => revokeToken(deps, params),
})
