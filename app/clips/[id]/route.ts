import { clip, clipParams } from "#lib/contracts/clips.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getClip } from "#lib/services/get-clip.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params: clipParams,
    response: clip,
    run: (deps, { params }) => getClip(deps, params),
  }),
})
