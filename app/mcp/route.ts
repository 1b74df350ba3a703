import { readScopes } from "#lib/http/auth/scopes.ts"
import { serve } from "#lib/http/route.ts"
import { answerMcpRequest } from "#lib/mcp/http.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  mcp: (deps, { request, body }) =>
    answerMcpRequest(deps, { request, message: body, scopes: readScopes(request.headers) }),
})
