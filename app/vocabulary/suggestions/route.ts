import { serve } from "#lib/http/route.ts"
import { suggestVocabulary } from "#lib/services/vocabulary/vocabulary.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  suggestVocabulary: (deps) => suggestVocabulary(deps),
})
