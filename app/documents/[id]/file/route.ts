import { documentParams as params } from "#lib/domain/documents.ts"
import { documentResponse } from "#lib/http/responses/file-responses.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { readDocumentFile } from "#lib/services/documents/document-file.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ params, run: (deps, { params }) => readDocumentFile(deps, params).then(documentResponse) }),
})
