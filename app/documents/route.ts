import { serve } from "#lib/http/route.ts"
import { receiveDocument } from "#lib/http/uploads/uploads.ts"
import { listDocuments } from "#lib/services/documents/documents.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listDocuments: (deps, { query }) => listDocuments(deps, query),
  addDocument: { receive: (deps, input) => receiveDocument(deps, input) },
})
