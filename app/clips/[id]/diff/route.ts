import { serve } from "#lib/http/route.ts"
import { diffTopicRuns } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  diffTopicRuns: (deps, { params, query }) => diffTopicRuns(deps, params, query),
})
