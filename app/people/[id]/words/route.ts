import { serve } from "#lib/http/route.ts"
import { searchPersonWords } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  searchPersonWords: (deps, { params, query }) => searchPersonWords(deps, params, query),
})
