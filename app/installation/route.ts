import { serve } from "#lib/http/route.ts"
import { describeInstallation } from "#lib/services/installation/describe-installation.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  installation: (deps) => describeInstallation(deps),
})
