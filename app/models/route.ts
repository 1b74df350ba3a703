import { modelList as response } from "#lib/domain/speech-models.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { listModels } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ response, run: (deps) => listModels(deps) }),
})
