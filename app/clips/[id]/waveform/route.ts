import { serve } from "#lib/http/route.ts"
import { getWaveform } from "#lib/services/clips/clip-audio.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  clipWaveform: (deps, { params, signal }) => getWaveform(deps, params, signal),
})
