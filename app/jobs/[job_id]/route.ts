import { serve } from "#lib/http/route.ts"
import { cancelJob } from "#lib/services/jobs/cancel-job.ts"
import { getJob } from "#lib/services/jobs/get-job.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getJob: (deps, { params }) => getJob(deps, params),
  cancelJob: (deps, { params }) => cancelJob(deps, params),
})
