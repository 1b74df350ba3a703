import { clipParams as params } from "#lib/contracts/clips.ts"
import { waveform } from "#lib/contracts/waveform.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getWaveform } from "#lib/services/waveform.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    response: waveform,
    run: (deps, { params, signal }) => getWaveform(deps, params, signal),
  }),
})
