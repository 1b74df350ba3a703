import { serve } from "#lib/http/route.ts"
import { createWebhook, listWebhooks } from "#lib/services/webhooks/webhooks.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  listWebhooks: (deps, { query }) => listWebhooks(deps, query),
  createWebhook: (deps, { body }) => createWebhook(deps, body),
})
