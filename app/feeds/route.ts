import { serve } from "#lib/http/route.ts"
import { listFeed } from "#lib/services/feeds/list-feed.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listFeed: (deps, { query, signal }) => listFeed(deps, query, signal),
})
