import { serve } from "#lib/http/route.ts"
import { listSummaries, requestSummary } from "#lib/services/summaries/summaries.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listSummaries: (deps, { params }) => listSummaries(deps, params),
  requestSummary: (deps, { params, body }) => requestSummary(deps, params, body),
})
