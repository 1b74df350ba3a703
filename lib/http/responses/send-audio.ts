import type { ClipAudio } from "../../services/clips/clip-audio.ts"
import { rangeResponse } from "./range-response.ts"

/** A recording as an answer: its bytes, or where they are to be had. */
export const sendAudio = async (request: Request, audio: ClipAudio): Promise<Response> => {
  const location = await audio.link()
  if (location === null) return rangeResponse(request, audio)
  await audio.close()
  return new Response(null, { status: 307, headers: { location, "cache-control": "no-store" } })
}
