import { serve } from "#lib/http/route.ts"
import { createSavedView, listSavedViews } from "#lib/services/saved-views/saved-views.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listSavedViews: (deps) => listSavedViews(deps),
  createSavedView: (deps, { body }) => createSavedView(deps, body),
})
