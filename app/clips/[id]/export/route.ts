import { exportQuery, clipParams as params } from "#lib/domain/clips.ts"
import { exportResponse } from "#lib/http/responses/file-responses.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { exportClip } from "#lib/services/clips/export-clip.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    query: exportQuery,
    run: async (deps, { params, query }) => exportResponse(await exportClip(deps, params, query.format)),
  }),
})
