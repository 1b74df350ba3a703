import { serve } from "#lib/http/route.ts"
import { editTopic, resetTopic } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  editTopic: (deps, { params, body }) => editTopic(deps, params, body),
  resetTopic: (deps, { params }) => resetTopic(deps, params),
})
