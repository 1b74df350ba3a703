import { clipList, clipsQuery } from "#lib/domain/clips.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { listClips } from "#lib/services/clips/list-clips.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    query: clipsQuery,
    response: clipList,
    run: (deps, { query }) => listClips(deps, query),
  }),
})
