import { wordEditParams as params } from "#lib/domain/transcript/word-edits.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { dropWordEdit } from "#lib/services/clips/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: endpoint({ needs: ["rag"], params, run: (deps, { params }) => dropWordEdit(deps, params).then(noContent) }),
})
