import { serve } from "#lib/http/route.ts"
import { undoReplacement } from "#lib/services/replacements/replacements.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  undoReplacement: (deps, { params }) => undoReplacement(deps, params),
})
