import { serve } from "#lib/http/route.ts"
import { retryJob } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  retryJob: (deps, { params }) => retryJob(deps, params),
})
