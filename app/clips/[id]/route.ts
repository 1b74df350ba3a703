import { clip, clipPatch, clipParams as params } from "#lib/domain/clips.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { deleteClip } from "#lib/services/clips/delete-clip.ts"
import { editClip } from "#lib/services/clips/edit-clip.ts"
import { getClip } from "#lib/services/clips/get-clip.ts"

const of = { needs: ["rag"], params } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ ...of, response: clip, run: (deps, { params }) => getClip(deps, params) }),
  PATCH: endpoint({ ...of, body: clipPatch, response: clip, run: (deps, i) => editClip(deps, i.params, i.body) }),
  DELETE: endpoint({ ...of, run: (deps, { params }) => deleteClip(deps, params).then(noContent) }),
})
