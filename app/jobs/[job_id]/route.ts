import { serve } from "#lib/http/route.ts"
import { cancelJob, getJob } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getJob: (deps, { params }) => getJob(deps, params),
  cancelJob: (deps, { params }) => cancelJob(deps, params),
})
