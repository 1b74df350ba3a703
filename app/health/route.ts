import { health } from "#lib/domain/health.ts"
import { endpoint, route } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ response: health, run: async () => ({ status: "ok" }) }),
})
