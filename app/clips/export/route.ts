import { archiveResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { exportArchive } from "#lib/services/export/export-archive.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  exportClips: async (deps, { query, signal }) => archiveResponse(await exportArchive(deps, query, signal)),
})
