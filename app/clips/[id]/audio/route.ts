import { audioResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { attachAudio } from "#lib/services/clips/attach-audio.ts"
import { openClipAudio } from "#lib/services/clips/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  attachAudio: (deps, { params, body, signal }) => attachAudio(deps, { ...params, ...body }, signal),
  clipAudio: async (deps, { params, request }) => audioResponse(request, await openClipAudio(deps, params)),
})
