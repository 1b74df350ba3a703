import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import type { SpeakerTurn } from "../types.ts"
import { postAudio, type Server } from "./request.ts"

const responseSchema = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), speaker: z.union([z.string(), z.number()]) })),
})

const parseResponse = (body: string, host: string) => {
  try {
    return responseSchema.parse(JSON.parse(body))
  } catch (cause) {
    throw new AppError("unavailable", `The speech server ${host} returned an invalid diarization`, {
      cause,
    })
  }
}

/**
 * Requests speaker turns from the server's `/audio/diarization` (speaches and others). Streams the whole recording.
 */
export const requestDiarization = async (
  server: Server,
  {
    path,
    length_s,
    speakers,
    signal,
  }: {
    readonly path: string
    readonly length_s: number
    readonly speakers: number | undefined
    readonly signal: AbortSignal
  },
): Promise<SpeakerTurn[]> => {
  const { size } = await stat(path)
  const file = { name: "audio", type: "application/octet-stream", bytes: size, content: () => createReadStream(path) }
  const names = speakers === undefined ? [] : ["num_speakers", "min_speakers", "max_speakers"]
  const fields = names.map((name) => [name, String(speakers)] as const)
  const { host } = new URL(server.base)
  const missingEndpointMessage = `The speech server ${host} has no /v1/audio/diarization.`
  const body = await postAudio(server, "/audio/diarization", { fields, file, length_s, missingEndpointMessage }, signal)
  const { segments } = parseResponse(body, host)
  const numbers = new Map<string, number>()
  return segments.map(({ start, end, speaker }) => {
    const name = String(speaker)
    if (!numbers.has(name)) numbers.set(name, numbers.size)
    return { start, end, speaker: numbers.get(name)! }
  })
}
