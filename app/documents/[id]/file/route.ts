import { documentResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { readDocumentFile } from "#lib/services/documents/documents.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  documentFile: (deps, { params }) => readDocumentFile(deps, params).then(documentResponse),
})
