import { serve } from "#lib/http/route.ts"
import { getJobResult } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  jobResult: (deps, { params }) => getJobResult(deps, params),
})
