import { serve } from "#lib/http/route.ts"
import { deleteSavedView, updateSavedView } from "#lib/services/saved-views/saved-views.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  updateSavedView: (deps, { params, body }) => updateSavedView(deps, params, body),
  deleteSavedView: (deps, { params }) => deleteSavedView(deps, params),
})
