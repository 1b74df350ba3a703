import { requireScope } from "#lib/http/auth/scopes.ts"
import { eventStream, wantsEvents } from "#lib/http/responses/event-stream.ts"
import { serve } from "#lib/http/route.ts"
import { query, streamQuery } from "#lib/services/search/query.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  query: (deps, { body, request, signal }) => {
    // The thread keeps the answer.
    if (body.thread_id !== undefined) requireScope(request, "write")
    return wantsEvents(request)
      ? eventStream((stop) => streamQuery(deps, body, stop), [signal, deps.stopping])
      : query(deps, body, signal)
  },
})
