import { serve } from "#lib/http/route.ts"
import { waitForJob } from "#lib/services/jobs/job-events.ts"
import { cancelJob } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getJob: (deps, { params, query, signal }) =>
    waitForJob(deps, { ...params, ...query }, AbortSignal.any([signal, deps.stopping])),
  cancelJob: (deps, { params }) => cancelJob(deps, params),
})
