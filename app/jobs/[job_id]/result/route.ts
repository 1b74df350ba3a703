import { serve } from "#lib/http/route.ts"
import { jobResult } from "#lib/services/jobs/job-result.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  jobResult: (deps, { params }) => jobResult(deps, params),
})
