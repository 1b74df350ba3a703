import { serve } from "#lib/http/route.ts"
import { previewReplacement } from "#lib/services/replacements/replacements.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  previewReplacement: (deps, { body }) => previewReplacement(deps, body),
})
