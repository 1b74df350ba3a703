import { serve } from "#lib/http/route.ts"
import { deleteVocabularyEntry, updateVocabularyEntry } from "#lib/services/vocabulary/vocabulary.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  updateVocabularyEntry: (deps, { params, body }) => updateVocabularyEntry(deps, params, body),
  deleteVocabularyEntry: (deps, { params }) => deleteVocabularyEntry(deps, params),
})
