import { serve } from "#lib/http/route.ts"
import { createTemplate, listTemplates } from "#lib/services/summaries/templates.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listTemplates: (deps) => listTemplates(deps),
  createTemplate: (deps, { body }) => createTemplate(deps, body),
})
