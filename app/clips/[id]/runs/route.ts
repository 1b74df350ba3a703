import { clipParams as params } from "#lib/domain/clips.ts"
import { topicRunList as response } from "#lib/domain/topics/topic-runs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { listTopicRuns } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params, response, run: (deps, i) => listTopicRuns(deps, i.params) }),
})
