import { serve } from "#lib/http/route.ts"
import { removeWordEdit } from "#lib/services/clips/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  dropWordEdit: (deps, { params, ifMatch }) => removeWordEdit(deps, params, ifMatch),
})
