import { wordEditParams as params } from "#lib/contracts/word-edits.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { dropWordEdit } from "#lib/services/word-edits.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: endpoint({ needs: ["rag"], params, run: (deps, { params }) => dropWordEdit(deps, params).then(noContent) }),
})
