import { ifChanged } from "#lib/http/responses/etag-response.ts"
import { serve } from "#lib/http/route.ts"
import { deleteThread, getThread, renameThread } from "#lib/services/threads/threads.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getThread: async (deps, { params, request }) => {
    const thread = await getThread(deps, params)
    return ifChanged(
      request,
      async () => thread.etag,
      async () => thread,
    )
  },
  renameThread: (deps, { params, body, ifMatch }) => renameThread(deps, params, body, ifMatch),
  deleteThread: (deps, { params, ifMatch }) => deleteThread(deps, params, ifMatch),
})
