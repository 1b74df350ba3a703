import { serve } from "#lib/http/route.ts"
import { listTopicRuns } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listTopicRuns: (deps, { params }) => listTopicRuns(deps, params),
})
