import { serve } from "#lib/http/route.ts"
import { listSuggestedSpeakers } from "#lib/services/people/clip-speakers.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listSuggestedSpeakers: (deps, { params }) => listSuggestedSpeakers(deps, params),
})
