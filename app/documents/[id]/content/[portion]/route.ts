import { serve } from "#lib/http/route.ts"
import { getContentPortion } from "#lib/services/documents/document-content.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  documentPortion: (deps, { params }) => getContentPortion(deps, params),
})
