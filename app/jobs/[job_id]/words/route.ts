import { serve } from "#lib/http/route.ts"
import { listLiveWords } from "#lib/services/jobs/jobs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  jobWords: (deps, { params, query }) => listLiveWords(deps, { ...params, ...query }),
})
