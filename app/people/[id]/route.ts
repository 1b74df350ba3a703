import { serve } from "#lib/http/route.ts"
import { deletePerson, getPerson, renamePerson } from "#lib/services/people/people.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getPerson: (deps, { params }) => getPerson(deps, params),
  renamePerson: (deps, { params, body }) => renamePerson(deps, params, body),
  deletePerson: (deps, { params }) => deletePerson(deps, params),
})
