import { installation as response } from "#lib/domain/installation.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { describeInstallation } from "#lib/services/installation/installation.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({ needs: ["rag"], response, run: (deps) => describeInstallation(deps) }),
})
