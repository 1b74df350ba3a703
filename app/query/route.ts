import { queryRequest as body, queryResult as response } from "#lib/contracts/documents.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { eventStream, wantsEvents } from "#lib/http/sse.ts"
import { openQuery, query } from "#lib/services/query.ts"

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
