import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { getClipEtag } from "#lib/services/clips/clips.ts"
import { getTopics } from "#lib/services/topics/topic-edits.ts"
import { rerunTopics } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getTopics: (deps, { params, request }) =>
    ifChanged(
      request,
      () => getClipEtag(deps, params, ["topics"]),
      () => getTopics(deps, params),
    ),
  rerunTopics: (deps, { params, body, operationId }) => rerunTopics(deps, params, body, operationId),
})
