import { clipParams as params } from "#lib/domain/clips.ts"
import { topicDiffQuery as query, topicDiff as response } from "#lib/domain/topics/diff-schema.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { diffTopicRuns } from "#lib/services/topics/topic-runs.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params, query, response, run: (deps, i) => diffTopicRuns(deps, i.params, i.query) }),
})
