import { documentParams as params } from "#lib/contracts/documents.ts"
import { fileAnswer } from "#lib/http/file-answer.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { readDocumentFile } from "#lib/services/document-file.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ params, run: (deps, { params }) => readDocumentFile(deps, params).then(fileAnswer) }),
})
