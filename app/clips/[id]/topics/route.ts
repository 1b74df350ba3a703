import { clipParams as params } from "#lib/domain/clips.ts"
import { submitted, topicSettings } from "#lib/domain/jobs/jobs.ts"
import { clipTopics } from "#lib/domain/topics/topic-edits.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { rerunTopics } from "#lib/services/topics/rerun-topics.ts"
import { getTopics } from "#lib/services/topics/topic-edits.ts"

const job = { needs: ["rag", "broker"], params, body: topicSettings, response: submitted, status: 202 } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], params, response: clipTopics, run: (deps, i) => getTopics(deps, i.params) }),
  POST: endpoint({ ...job, run: (deps, i) => rerunTopics(deps, i.params, i.body) }),
})
