import { serve } from "#lib/http/route.ts"
import { addVocabularyEntry, listVocabulary } from "#lib/services/vocabulary/vocabulary.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listVocabulary: (deps) => listVocabulary(deps),
  addVocabularyEntry: (deps, { body }) => addVocabularyEntry(deps, body),
})
