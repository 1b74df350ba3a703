import { serve } from "#lib/http/route.ts"
import { listTags } from "#lib/services/clips/labels.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listTags: (deps) => listTags(deps),
})
