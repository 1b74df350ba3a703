import { serve } from "#lib/http/route.ts"
import { setEngineChoice } from "#lib/services/installation/engine-choices.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  chooseEngine: (deps, { params, body }) =>
    setEngineChoice(deps, { kind: params.kind, value: body.value, isDryRun: body.dry_run }),
})
