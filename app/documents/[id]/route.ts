import { serve } from "#lib/http/route.ts"
import { getDocument, removeDocument } from "#lib/services/documents/documents.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getDocument: (deps, { params }) => getDocument(deps, params),
  removeDocument: (deps, { params }) => removeDocument(deps, params),
})
