import { ndjsonResponse } from "#lib/http/responses/ndjson-response.ts"
import { serve } from "#lib/http/route.ts"
import { exportLibrary } from "#lib/services/export/export-library.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  exportLibrary: async (deps, { query }) => ndjsonResponse(exportLibrary(deps, query), "earmark.ndjson"),
})
