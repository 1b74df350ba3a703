import { exportResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { exportClipArchive } from "#lib/services/export/export-archive.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  clipArchive: async (deps, { params, signal }) => exportResponse(await exportClipArchive(deps, params, signal)),
})
