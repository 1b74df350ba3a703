import { serve } from "#lib/http/route.ts"
import { listModels } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listModels: (deps) => listModels(deps),
})
