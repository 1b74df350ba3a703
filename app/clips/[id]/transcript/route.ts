import { clipParams as params } from "#lib/domain/clips.ts"
import { hearingSettings, submitted } from "#lib/domain/jobs/jobs.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { hearAgain } from "#lib/services/clips/retranscribe.ts"

const job = { needs: ["rag", "broker"], params, body: hearingSettings, response: submitted, status: 202 } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({ ...job, run: (deps, i) => hearAgain(deps, i.params, i.body) }),
})
