import { serve } from "#lib/http/route.ts"
import { createToken, listTokens } from "#lib/services/tokens/tokens.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listTokens: (deps) => listTokens(deps),
  createToken: (deps, { body }) => createToken(deps, body),
})
