import { serve } from "#lib/http/route.ts"
import { listClipSpeakers } from "#lib/services/people/clip-speakers.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listClipSpeakers: (deps, { params }) => listClipSpeakers(deps, params),
})
