import { ingestRequest as body, ingestResult as response } from "#lib/domain/documents.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { ingest } from "#lib/services/documents/ingest.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({ body, response, run: (deps, input) => ingest(deps, input.body, { signal: input.signal }) }),
})
