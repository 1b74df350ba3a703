import { serve } from "#lib/http/route.ts"
import { findInDocument } from "#lib/services/documents/document-content.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  findInDocument: (deps, { params, query }) => findInDocument(deps, { ...params, ...query }),
})
