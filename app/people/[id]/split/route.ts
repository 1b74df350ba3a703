import { serve } from "#lib/http/route.ts"
import { splitPerson } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  splitPerson: (deps, { params, body }) => splitPerson(deps, params, body),
})
