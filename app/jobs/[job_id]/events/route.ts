import { jobParams as params } from "#lib/domain/jobs/jobs.ts"
import { eventStream } from "#lib/http/responses/event-stream.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { openJobEvents } from "#lib/services/jobs/job-events.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    run: (deps, input) =>
      eventStream((signal) => openJobEvents(deps, input.params, signal), [input.signal, deps.stopping]),
  }),
})
