import { serve } from "#lib/http/route.ts"
import { previewTopics } from "#lib/services/topics/preview-topics.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  previewTopics: (deps, { params, query, signal }) => previewTopics(deps, params, query, signal),
})
