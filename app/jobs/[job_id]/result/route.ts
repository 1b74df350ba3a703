import { jobParams, jobResult as response } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { jobResult } from "#lib/services/jobs/job-result.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params: jobParams, response, run: (deps, { params }) => jobResult(deps, params) }),
})
