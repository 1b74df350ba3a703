import { exportResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { exportClip } from "#lib/services/export/export-clip.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  exportClip: async (deps, { params, query, signal }) => exportResponse(await exportClip(deps, params, query, signal)),
})
