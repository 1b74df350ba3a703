import { clip, clipPatch, clipParams as params } from "#lib/contracts/clips.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { deleteClip } from "#lib/services/delete-clip.ts"
import { editClip } from "#lib/services/edit-clip.ts"
import { getClip } from "#lib/services/get-clip.ts"

const of = { needs: ["rag"], params } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ ...of, response: clip, run: (deps, { params }) => getClip(deps, params) }),
  PATCH: endpoint({ ...of, body: clipPatch, response: clip, run: (deps, i) => editClip(deps, i.params, i.body) }),
  DELETE: endpoint({ ...of, run: (deps, { params }) => deleteClip(deps, params).then(noContent) }),
})
