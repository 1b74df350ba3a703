import { excerptResponse } from "#lib/http/responses/file-responses.ts"
import { serve } from "#lib/http/route.ts"
import { openAudioExcerpt } from "#lib/services/clips/audio-excerpt.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  audioExcerpt: async (deps, { params, query, request }) =>
    excerptResponse(request, await openAudioExcerpt(deps, params, query), query),
})
