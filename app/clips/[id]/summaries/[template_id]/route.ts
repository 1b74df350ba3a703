import { serve } from "#lib/http/route.ts"
import { deleteSummary, getSummary } from "#lib/services/summaries/summaries.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getSummary: (deps, { params }) => getSummary(deps, params),
  deleteSummary: (deps, { params }) => deleteSummary(deps, params),
})
