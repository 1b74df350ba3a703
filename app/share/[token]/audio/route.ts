import { sharedAudioResponse } from "#lib/http/responses/share-responses.ts"
import { serve } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  sharedAudio: (deps, { params, request }) => sharedAudioResponse(deps, params.token, request),
})
