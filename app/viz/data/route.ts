import { vizDataQuery as query } from "#lib/contracts/viz.ts"
import { mapAnswer } from "#lib/http/map-answer.ts"
import { endpoint, route } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ partOf: "rag", query, run: (deps, input) => mapAnswer(deps, input) }),
})
