import { clipParams as params } from "#lib/contracts/clips.ts"
import { ranged } from "#lib/http/ranged.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { openClipAudio } from "#lib/services/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    run: async (deps, input) => ranged(input.request, await openClipAudio(deps, input.params)),
  }),
})
