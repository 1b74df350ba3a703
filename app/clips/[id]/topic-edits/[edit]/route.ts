import { serve } from "#lib/http/route.ts"
import { removeTopicEdit } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  removeTopicEdit: (deps, { params, ifMatch }) => removeTopicEdit(deps, params, ifMatch),
})
