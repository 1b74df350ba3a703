import { serve } from "#lib/http/route.ts"
import { editClipSpeaker } from "#lib/services/people/clip-speakers.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  editClipSpeaker: (deps, { params, body, ifMatch }) => editClipSpeaker(deps, params, body, ifMatch),
})
