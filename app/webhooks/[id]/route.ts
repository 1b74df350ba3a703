import { serve } from "#lib/http/route.ts"
import { deleteWebhook, getWebhook, updateWebhook } from "#lib/services/webhooks/webhooks.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  getWebhook: (deps, { params }) => getWebhook(deps, params),
  updateWebhook: (deps, { params, body }) => updateWebhook(deps, params, body),
  deleteWebhook: (deps, { params }) => deleteWebhook(deps, params),
})
