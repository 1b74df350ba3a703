import { serve } from "#lib/http/route.ts"
import { mergePeople } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  mergePeople: (deps, { params, body }) => mergePeople(deps, params, body),
})
