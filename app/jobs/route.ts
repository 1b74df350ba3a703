import { serve } from "#lib/http/route.ts"
import { listJobs } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listJobs: (deps, { query }) => listJobs(deps, query),
})
