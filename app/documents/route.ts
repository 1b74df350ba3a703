import { documentEntry, documentList } from "#lib/domain/documents.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { receiveDocument } from "#lib/http/uploads/uploads.ts"
import { listDocuments } from "#lib/services/documents/documents.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ response: documentList, run: (deps) => listDocuments(deps) }),
  POST: endpoint({ response: documentEntry, status: 201, run: (deps, { request }) => receiveDocument(deps, request) }),
})
