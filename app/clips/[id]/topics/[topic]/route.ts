import { topicPatch as body, topicParams as params, clipTopics as response } from "#lib/domain/topics/topic-edits.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { editTopic, resetTopic } from "#lib/services/topics/topic-edits.ts"

const of = { needs: ["rag"], params, response } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PATCH: endpoint({ ...of, body, run: (deps, i) => editTopic(deps, i.params, i.body) }),
  DELETE: endpoint({ ...of, run: (deps, i) => resetTopic(deps, i.params) }),
})
