import { serve } from "#lib/http/route.ts"
import { deleteUpload, describeUpload, receiveUploadPart, withTusHeaders } from "#lib/http/uploads/resumable/tus.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = withTusHeaders(
  serve({
    getUpload: (deps, { request, params }) => describeUpload(deps, request, params),
    appendToUpload: (deps, { request, params }) => receiveUploadPart(deps, request, params),
    deleteUpload: (deps, { request, params }) => deleteUpload(deps, request, params),
  }),
)
