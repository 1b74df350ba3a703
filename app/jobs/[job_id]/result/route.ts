import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { getJobResult, getJobResultEtag } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  jobResult: (deps, { params, request }) =>
    ifChanged(
      request,
      () => getJobResultEtag(deps, params),
      () => getJobResult(deps, params),
    ),
})
