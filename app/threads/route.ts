import { serve } from "#lib/http/route.ts"
import { createThread, listThreads } from "#lib/services/threads/threads.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listThreads: (deps, { query }) => listThreads(deps, query),
  createThread: (deps, { body, operationId }) => createThread(deps, body, operationId),
})
