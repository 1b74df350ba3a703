import { serve } from "#lib/http/route.ts"
import { deleteTemplate, editTemplate } from "#lib/services/summaries/templates.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  editTemplate: (deps, { params, body }) => editTemplate(deps, params, body),
  deleteTemplate: (deps, { params }) => deleteTemplate(deps, params),
})
