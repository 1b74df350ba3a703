import { serve } from "#lib/http/route.ts"
import { getTopicRun } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getTopicRun: (deps, { params }) => getTopicRun(deps, params),
})
