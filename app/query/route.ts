import { eventStream, wantsEvents } from "#lib/http/responses/event-stream.ts"
import { serve } from "#lib/http/route.ts"
import { query, streamQuery } from "#lib/services/search/query.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  query: (deps, { body, request, signal }) =>
    wantsEvents(request)
      ? eventStream((stop) => streamQuery(deps, body, stop), [signal, deps.stopping])
      : query(deps, body, signal),
})
