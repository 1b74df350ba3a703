import { serve } from "#lib/http/route.ts"
import { changeTopics } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  changeTopics: (deps, { params, body, ifMatch }) => changeTopics(deps, params, body, ifMatch),
})
