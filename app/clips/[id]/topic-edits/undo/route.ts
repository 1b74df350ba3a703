import { serve } from "#lib/http/route.ts"
import { stepTopicEdits } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  undoTopicEdit: (deps, { params, ifMatch }) => stepTopicEdits(deps, params, "undo", ifMatch),
})
