import { serve } from "#lib/http/route.ts"
import { editWords, listWordEdits } from "#lib/services/clips/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listWordEdits: (deps, { params }) => listWordEdits(deps, params),
  editWords: (deps, { params, body }) => editWords(deps, params, body),
})
