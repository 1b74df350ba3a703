import { serve } from "#lib/http/route.ts"
import { pullModel } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  pullModel: (deps, { params }) => pullModel(deps, params.name),
})
