import { modelParams as params, pulling as response } from "#lib/domain/speech-models.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { pullModel } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: endpoint({ params, response, status: 202, run: (deps, { params }) => pullModel(deps, params.name) }),
})
