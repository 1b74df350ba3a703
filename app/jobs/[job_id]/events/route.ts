import { eventStream } from "#lib/http/responses/event-stream.ts"
import { serve } from "#lib/http/route.ts"
import { openJobEvents } from "#lib/services/jobs/job-events.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  jobEvents: (deps, { params, request, signal }) =>
    eventStream(
      (stop) => openJobEvents(deps, { ...params, lastId: request.headers.get("last-event-id") }, stop),
      [signal, deps.stopping],
    ),
})
