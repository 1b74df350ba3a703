import { editParams as params, clipTopics as response } from "#lib/domain/topics/topic-edits.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { removeTopicEdit } from "#lib/services/topics/topic-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: endpoint({ needs: ["rag"], params, response, run: (deps, i) => removeTopicEdit(deps, i.params) }),
})
