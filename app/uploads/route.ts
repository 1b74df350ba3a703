import { serve } from "#lib/http/route.ts"
import { receiveNewUpload, withTusHeaders } from "#lib/http/uploads/resumable/tus.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = withTusHeaders(
  serve({
    createUpload: { receive: (deps, { request }) => receiveNewUpload(deps, request) },
  }),
)
