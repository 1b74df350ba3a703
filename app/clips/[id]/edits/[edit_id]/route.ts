import { serve } from "#lib/http/route.ts"
import { dropWordEdit } from "#lib/services/clips/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  dropWordEdit: (deps, { params }) => dropWordEdit(deps, params),
})
