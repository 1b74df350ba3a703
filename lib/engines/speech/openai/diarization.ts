import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { z } from "zod"
import { AppError } from "../../../domain/errors.ts"
import type { SpeakerTurn } from "../types.ts"
import { askServer, type Server } from "./request.ts"

const answerSchema = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), speaker: z.union([z.string(), z.number()]) })),
})

const parsed = (body: string, host: string) => {
  try {
    return answerSchema.parse(JSON.parse(body))
  } catch (cause) {
    throw new AppError("unavailable", `the speech server ${host} answers something that is no list of voices`, {
      cause,
    })
  }
}

/** Who speaks when, by the server's `/audio/diarization` (speaches and others): the whole recording is streamed to it. */
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
  const absent = `the speech server ${host} has no /v1/audio/diarization`
  const body = await askServer(server, "/audio/diarization", { fields, file, length_s, absent }, signal)
  const { segments } = parsed(body, host)
  const numbers = new Map<string, number>()
  return segments.map(({ start, end, speaker }) => {
    const name = String(speaker)
    if (!numbers.has(name)) numbers.set(name, numbers.size)
    return { start, end, speaker: numbers.get(name)! }
  })
}
