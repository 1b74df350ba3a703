import { modelParams as params } from "#lib/domain/speech-models.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { removeModel } from "#lib/services/installation/speech-models.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: endpoint({ params, run: (deps, { params }) => removeModel(deps, params.name).then(noContent) }),
})
