import { queryRequest as body, queryResult as response } from "#lib/domain/documents.ts"
import { eventStream, wantsEvents } from "#lib/http/responses/event-stream.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { openQuery, query } from "#lib/services/search/query.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({
    body,
    response,
    run: (deps, { body, request, signal }) =>
      wantsEvents(request)
        ? eventStream((open) => openQuery(deps, body, open), [signal, deps.stopping])
        : query(deps, body, signal),
  }),
})
