import { clipParams as params } from "#lib/domain/clips.ts"
import { wordEditsRequest as body, wordEdits as response } from "#lib/domain/transcript/word-edits.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { editWords, listWordEdits } from "#lib/services/clips/word-edits.ts"

const of = { needs: ["rag"], params, response } as const

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ ...of, run: (deps, { params }) => listWordEdits(deps, params) }),
  POST: endpoint({ ...of, body, run: (deps, { params, body }) => editWords(deps, params, body) }),
})
