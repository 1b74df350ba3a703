import { serve } from "#lib/http/route.ts"
import { listEngines } from "#lib/services/installation/engine-options.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listEngines: async (deps) => ({ engines: await listEngines(deps) }),
})
