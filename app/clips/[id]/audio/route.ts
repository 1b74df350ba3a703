import { clipParams as params } from "#lib/contracts/clips.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { sendAudio } from "#lib/http/send-audio.ts"
import { openClipAudio } from "#lib/services/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    run: async (deps, input) => sendAudio(input.request, await openClipAudio(deps, input.params)),
  }),
})
