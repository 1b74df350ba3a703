import { clipParams as params } from "#lib/domain/clips.ts"
import { submitted, transcriptionSettings } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { retranscribe } from "#lib/services/clips/retranscribe.ts"

const job = { needs: ["rag", "broker"], params, body: transcriptionSettings, response: submitted, status: 202 } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({ ...job, run: (deps, i) => retranscribe(deps, i.params, i.body) }),
})
