import { serve } from "#lib/http/route.ts"
import { removeModel } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  removeModel: (deps, { params }) => removeModel(deps, params.name),
})
