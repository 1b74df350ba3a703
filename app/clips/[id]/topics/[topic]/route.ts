import { serve } from "#lib/http/route.ts"
import { editTopic, resetTopic } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  editTopic: (deps, { params, body, ifMatch }) => editTopic(deps, params, body, ifMatch),
  resetTopic: (deps, { params, ifMatch }) => resetTopic(deps, params, ifMatch),
})
