import { submitted } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { readJobSubmission } from "#lib/http/uploads/uploads.ts"
import { submitJob } from "#lib/services/jobs/submit-job.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({
    needs: ["rag", "broker"],
    response: submitted,
    status: 202,
    run: async (deps, { request }) => submitJob(deps, await readJobSubmission(deps, request)),
  }),
})
