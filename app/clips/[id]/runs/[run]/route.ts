import { runParams as params, topicRun as response } from "#lib/domain/topics/topic-runs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getTopicRun } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params, response, run: (deps, i) => getTopicRun(deps, i.params) }),
})
