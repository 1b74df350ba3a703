import { jobParams as params, submitted } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { retryJob } from "#lib/services/jobs/retry-job.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({
    needs: ["rag", "broker"],
    params,
    response: submitted,
    status: 202,
    run: (deps, input) => retryJob(deps, input.params),
  }),
})
