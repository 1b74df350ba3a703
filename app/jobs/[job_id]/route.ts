import { jobParams, jobRecord } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { cancelJob } from "#lib/services/jobs/cancel-job.ts"
import { getJob } from "#lib/services/jobs/get-job.ts"

const of = { needs: ["rag"], params: jobParams, response: jobRecord } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ ...of, run: (deps, { params }) => getJob(deps, params) }),
  DELETE: endpoint({ ...of, run: (deps, { params }) => cancelJob(deps, params) }),
})
