import { serve } from "#lib/http/route.ts"
import { listReplacements, replaceHits } from "#lib/services/replacements/replacements.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listReplacements: (deps) => listReplacements(deps),
  replaceHits: (deps, { body }) => replaceHits(deps, body),
})
