import { serve } from "#lib/http/route.ts"
import { listModelServers } from "#lib/services/installation/model-servers.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listModelServers: async (deps) => ({ servers: await listModelServers(deps) }),
})
