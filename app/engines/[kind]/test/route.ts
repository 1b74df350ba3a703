import { serve } from "#lib/http/route.ts"
import { testEngine } from "#lib/services/installation/engine-tests.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  testEngine: (deps, { params, body }) => testEngine(deps, params.kind, body.value),
})
