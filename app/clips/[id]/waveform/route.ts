import { clipParams as params } from "#lib/domain/clips.ts"
import { waveform } from "#lib/domain/transcript/waveform.ts"
import { endpoint, route } from "#lib/http/route.ts"
import { getWaveform } from "#lib/services/clips/waveform.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: endpoint({
    needs: ["rag"],
    params,
    response: waveform,
    run: (deps, { params, signal }) => getWaveform(deps, params, signal),
  }),
})
