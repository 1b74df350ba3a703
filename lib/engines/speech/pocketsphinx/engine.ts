import { availableParallelism } from "node:os"
import { AppError } from "../../../domain/errors.ts"
import { mapInOrder } from "../../../platform/concurrency.ts"
import { type Chunk, cutAtPauses } from "../audio/chunks.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { decoderMissing } from "../audio/decoders.ts"
import { probeMedia } from "../audio/probe-media.ts"
import type { EngineOptions } from "../engines.ts"
import { milliseconds, normalizeWords, offsetWords, type TimedWord } from "../transcript/words.ts"
import type { TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { findPocketSphinx, type Installation, MODEL, recognise } from "./program.ts"

/** Short enough for progress that moves, long enough that loading the model (0.3 s) does not count. */
const CHUNK = { min_s: 8, max_s: 24 }
/** Processes at once: each holds about 100 MB. */
const MAX_PROCESSES = 4

const checkWishes = (language: string | null, model: string | undefined): void => {
  if (language !== null && !/^en\b/i.test(language))
    throw new AppError(
      "invalid",
      `PocketSphinx only knows English and was asked for '${language}': ask for language "en", or pass \`transcription\``,
    )
  if (model !== undefined && model !== MODEL)
    throw new AppError("invalid", `PocketSphinx has no model '${model}': ask for ${MODEL}, or for none`)
}

const installation = async (): Promise<Installation> => {
  const found = await findPocketSphinx()
  if (typeof found === "string") throw new AppError("unavailable", `speech engine pocketsphinx: ${found}`)
  return found
}

const recogniseFile = async (
  request: TranscribeRequest,
  closing: AbortSignal,
  most_s: number,
): Promise<[TimedWord[], number]> => {
  // A failure of one chunk ends the processes of the others.
  const failed = new AbortController()
  const signal = AbortSignal.any([request.signal, closing, failed.signal])
  const sphinx = await installation()
  const { duration_s: declared_s } = await probeMedia(request.path, signal, most_s)
  const words: TimedWord[] = []
  let done = 0
  const tell = (): void => request.progress({ phase: "speech", done, total: Math.max(declared_s ?? 0, done) })
  tell()
  const work = async (chunk: Chunk): Promise<{ seconds: number; found: TimedWord[] }> => ({
    seconds: chunk.pcm.length / SAMPLE_RATE,
    found: chunk.silent ? [] : offsetWords(await recognise(sphinx, chunk.pcm, signal), chunk.at / SAMPLE_RATE),
  })
  const chunks = cutAtPauses(decodePcm({ path: request.path, declared_s, most_s, signal }), CHUNK)
  const processes = Math.min(availableParallelism(), MAX_PROCESSES)
  const results = mapInOrder(chunks, processes, work, (error) => failed.abort(error))
  for await (const { seconds, found } of results) {
    words.push(...found)
    done += seconds
    tell()
  }
  return [words, milliseconds(done)]
}

/** PocketSphinx as Debian packages it (5prealpha): English, word times, no speakers, 5 to 9 times real time a core. */
export const createPocketSphinx = (options: Pick<EngineOptions, "log" | "model" | "most_s">): Transcriber => {
  const closing = new AbortController()
  return {
    name: "pocketsphinx",
    probe: async () => {
      const found = await findPocketSphinx()
      if (typeof found === "string") return { available: false, detail: found }
      const undecodable = await decoderMissing()
      if (undecodable) return { available: false, detail: undecodable }
      return { available: true, detail: `${found.program} with the model ${MODEL}` }
    },
    transcribe: async (request): Promise<Transcript> => {
      checkWishes(request.language, request.model ?? options.model)
      const began = performance.now()
      const [words, duration_s] = await recogniseFile(request, closing.signal, options.most_s)
      const took_s = (performance.now() - began) / 1000
      options.log.info({ words: words.length, duration_s, took_s }, "transcribed by PocketSphinx")
      const how = {
        engine: "pocketsphinx",
        model: MODEL,
        language: "en",
        diarized: false,
        estimatedTimes: false,
        notes: [],
      } as const
      return { ...how, words: normalizeWords(words, duration_s, "0"), duration_s }
    },
    close: async () => {
      closing.abort(new AppError("unavailable", "the speech engine is being shut down", { retry: "later" }))
    },
  }
}
