import { serve } from "#lib/http/route.ts"
import { readJobSubmission } from "#lib/http/uploads/uploads.ts"
import { submitJob } from "#lib/services/jobs/submit-job.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  submitJob: async (deps, { request }) => submitJob(deps, await readJobSubmission(deps, request)),
})
