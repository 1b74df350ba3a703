import { feedQuery as query, feed as response } from "#lib/domain/feeds.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { listFeed } from "#lib/services/feeds/list-feed.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ query, response, run: (deps, { query, signal }) => listFeed(deps, query, signal) }),
})
