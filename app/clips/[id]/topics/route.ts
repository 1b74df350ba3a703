import { serve } from "#lib/http/route.ts"
import { getTopics } from "#lib/services/topics/topic-edits.ts"
import { rerunTopics } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getTopics: (deps, { params }) => getTopics(deps, params),
  rerunTopics: (deps, { params, body, operationId }) => rerunTopics(deps, params, body, operationId),
})
