import { serve } from "#lib/http/route.ts"
import { getDocumentContent } from "#lib/services/documents/document-content.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  documentContent: (deps, { params }) => getDocumentContent(deps, params),
})
