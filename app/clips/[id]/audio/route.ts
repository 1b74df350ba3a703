import { clipParams as params } from "#lib/domain/clips.ts"
import { audioResponse } from "#lib/http/responses/file-responses.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { openClipAudio } from "#lib/services/clips/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    run: async (deps, input) => audioResponse(input.request, await openClipAudio(deps, input.params)),
  }),
})
