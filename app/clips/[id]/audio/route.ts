import { audioResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { openClipAudio } from "#lib/services/clips/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  clipAudio: async (deps, { params, request }) => audioResponse(request, await openClipAudio(deps, params)),
})
