import { readiness } from "#lib/domain/health.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getReadiness } from "#lib/services/installation/readiness.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    response: readiness,
    status: ({ status }) => (status === "down" ? 503 : 200),
    run: (deps) => getReadiness(deps),
  }),
})
