import { Reply, serve } from "#lib/http/route.ts"
import { getReadiness } from "#lib/services/installation/readiness.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  readiness: async (deps) => {
    const readiness = await getReadiness(deps)
    return new Reply(readiness, { status: readiness.status === "down" ? 503 : 200 })
  },
})
