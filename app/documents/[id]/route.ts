import { documentText, documentParams as params } from "#lib/domain/documents.ts"
import { endpoint, noContent, route } from "#lib/http/route.ts"
import { getDocument, removeDocument } from "#lib/services/documents/documents.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ params, response: documentText, run: (deps, { params }) => getDocument(deps, params) }),
  DELETE: endpoint({ params, run: (deps, { params }) => removeDocument(deps, params).then(noContent) }),
})
