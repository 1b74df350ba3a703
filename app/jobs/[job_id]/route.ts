import { jobParams, jobRecord } from "#lib/contracts/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { cancelJob } from "#lib/services/cancel-job.ts"
import { getJob } from "#lib/services/get-job.ts"

const of = { needs: ["rag"], params: jobParams, response: jobRecord } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ ...of, run: (deps, { params }) => getJob(deps, params) }),
  DELETE: endpoint({ ...of, run: (deps, { params }) => cancelJob(deps, params) }),
})
