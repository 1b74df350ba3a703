import { jobList, jobsQuery } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { listJobs } from "#lib/services/jobs/list-jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    query: jobsQuery,
    response: jobList,
    run: (deps, { query }) => listJobs(deps, query),
  }),
})
