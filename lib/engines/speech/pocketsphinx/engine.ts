import { availableParallelism } from "node:os"
import { AppError } from "../../../domain/errors.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"
import { mapInOrder } from "../../../platform/concurrency.ts"
import { type Chunk, cutAtPauses } from "../audio/chunks.ts"
import { decodePcm, missingDecoderMessage, SAMPLE_RATE } from "../audio/decode.ts"
import { probeMedia } from "../audio/probe-media.ts"
import { normalizeWords, offsetWords, roundToMilliseconds } from "../transcript/words.ts"
import type { EngineOptions, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { findPocketSphinx, type Installation, MODEL, recognizeChunk } from "./program.ts"

/** Short enough for smooth progress, long enough to make the 0.3 s for loading the model negligible. */
const CHUNK_LIMITS = { min_s: 8, max_s: 24 }
/** Each process uses about 100 MB. */
const MAX_PROCESSES = 4

const checkRequest = (language: string | null, model: string | undefined): void => {
  if (language !== null && !/^en\b/i.test(language))
    throw new AppError(
      "invalid",
      `PocketSphinx supports only English, not '${language}'. Use language "en", or pass \`transcription\`.`,
    )
  if (model !== undefined && model !== MODEL)
    throw new AppError("invalid", `PocketSphinx has no model '${model}'. Use ${MODEL}, or omit the model.`)
}

const requireInstallation = async (): Promise<Installation> => {
  const found = await findPocketSphinx()
  if (typeof found === "string") throw new AppError("unavailable", found)
  return found
}

const recognizeFile = async (
  request: TranscribeRequest,
  closing: AbortSignal,
  maxDuration_s: number,
): Promise<[TimedWord[], number]> => {
  // If one chunk fails, the processes of the others are stopped.
  const failed = new AbortController()
  const signal = AbortSignal.any([request.signal, closing, failed.signal])
  const sphinx = await requireInstallation()
  const { duration_s: declared_s } = await probeMedia(request.path, signal, maxDuration_s)
  const words: TimedWord[] = []
  let done = 0
  const report = (): void => request.progress({ phase: "speech", done, total: Math.max(declared_s ?? 0, done) })
  report()
  const work = async (chunk: Chunk): Promise<{ seconds: number; found: TimedWord[] }> => ({
    seconds: chunk.pcm.length / SAMPLE_RATE,
    found: chunk.silent ? [] : offsetWords(await recognizeChunk(sphinx, chunk.pcm, signal), chunk.offset / SAMPLE_RATE),
  })
  const chunks = cutAtPauses(decodePcm({ path: request.path, declared_s, maxDuration_s, signal }), CHUNK_LIMITS)
  const processes = Math.min(availableParallelism(), MAX_PROCESSES)
  const results = mapInOrder(chunks, processes, work, (error) => failed.abort(error))
  for await (const { seconds, found } of results) {
    words.push(...found)
    request.onWords?.(found)
    done += seconds
    report()
  }
  return [words, roundToMilliseconds(done)]
}

/**
 * Creates the engine for PocketSphinx as packaged by Debian (5prealpha): English only, with word times, without speakers, 5
 * to 9 times real time per core.
 */
export const createPocketSphinx = (options: Pick<EngineOptions, "log" | "model" | "maxDuration_s">): Transcriber => {
  const closing = new AbortController()
  return {
    name: "pocketsphinx",
    probe: async () => {
      const found = await findPocketSphinx()
      if (typeof found === "string") return { available: false, detail: found }
      const undecodable = await missingDecoderMessage()
      if (undecodable) return { available: false, detail: undecodable }
      return { available: true, detail: `${found.program} with the model ${MODEL}` }
    },
    transcribe: async (request): Promise<Transcript> => {
      checkRequest(request.language, request.model ?? options.model)
      const began = performance.now()
      const [words, duration_s] = await recognizeFile(request, closing.signal, options.maxDuration_s)
      const took_s = (performance.now() - began) / 1000
      options.log.info({ words: words.length, duration_s, took_s }, "transcribed by PocketSphinx")
      const source = {
        engine: "pocketsphinx",
        model: MODEL,
        language: "en",
        diarized: false,
        estimatedTimes: false,
        notes: [],
      } as const
      return { ...source, words: normalizeWords(words, duration_s, "0"), duration_s }
    },
    close: async () => {
      closing.abort(new AppError("unavailable", "The speech engine is shutting down.", { retry: "later" }))
    },
  }
}
