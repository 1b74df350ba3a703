import { serve } from "#lib/http/route.ts"
import { listPeople } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listPeople: (deps, { query }) => listPeople(deps, query),
})
