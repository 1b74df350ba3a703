import { serve } from "#lib/http/route.ts"
import { ingest } from "#lib/services/documents/ingest.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  ingest: (deps, { body, signal }) => ingest(deps, body, { signal }),
})
