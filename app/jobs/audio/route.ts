import { serve } from "#lib/http/route.ts"
import { receiveJob } from "#lib/http/uploads/uploads.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  submitJob: { receive: (deps, { request }) => receiveJob(deps, request) },
})
