import { serve } from "#lib/http/route.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  health: async () => ({ status: "ok" }),
})
