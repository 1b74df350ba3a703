import { clipParams as params } from "#lib/contracts/clips.ts"
import { topicDiffQuery as query, topicDiff as response } from "#lib/contracts/topic-diff.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { diffTopicRuns } from "#lib/services/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params, query, response, run: (deps, i) => diffTopicRuns(deps, i.params, i.query) }),
})
