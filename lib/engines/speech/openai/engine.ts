import { AppError, messageOf } from "../../../domain/errors.ts"
import { cutAtPauses } from "../audio/chunks.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { decoderMissing } from "../audio/decoders.ts"
import { probeMedia } from "../audio/probe-media.ts"
import type { EngineOptions } from "../engines.ts"
import { assignSpeakers } from "../transcript/assign-speakers.ts"
import { milliseconds, normalizeWords, offsetWords, type TimedWord } from "../transcript/words.ts"
import type { EngineProbe, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { requestDiarization } from "./diarization.ts"
import { languageOf, verboseAnswer, wordsOfAnswer } from "./parse-response.ts"
import { askServer, authorization, serverAt, serverErrorDetail } from "./request.ts"
import { wavFile } from "./wav.ts"

/** Under the usual limits of 25 MB and ten minutes; as WAV a part has up to 19 MB. */
const PART = { min_s: 300, max_s: 590 }
/** The name under which most servers have a model by default. */
const MODEL = "whisper-1"
const PROBE_MS = 1500

const parsed = (body: string, host: string) => {
  try {
    return verboseAnswer.parse(JSON.parse(body))
  } catch (cause) {
    throw new AppError(
      "unavailable",
      `the speech server ${host} answers something that is no verbose_json${serverErrorDetail(body)}: is SERVICE_SPEECH_URL an OpenAI-compatible server?`,
      { cause, retry: "retry" },
    )
  }
}

/**
 * Any server with OpenAI's `POST /v1/audio/transcriptions`. The recording goes there in parts of up to ten minutes, cut
 * at pauses; speakers come from its `/v1/audio/diarization` where there is one.
 */
export const createOpenAi = ({ log, model: configured, url, most_s, ...access }: EngineOptions): Transcriber => {
  const closing = new AbortController()
  const server = url === undefined ? null : serverAt(url, access)

  const needServer = () => {
    if (server) return server
    throw new AppError("unavailable", "the speech engine openai has no server: give its address in SERVICE_SPEECH_URL")
  }

  const listen = async (request: TranscribeRequest, model: string, signal: AbortSignal) => {
    const { path, progress, language } = request
    const { host } = new URL(needServer().base)
    const { duration_s: declared_s } = await probeMedia(path, signal, most_s)
    const words: TimedWord[] = []
    let [samples, estimated] = [0, false]
    let heard: string | null = null
    const tell = () =>
      progress({
        phase: "speech",
        done: samples / SAMPLE_RATE,
        total: Math.max(declared_s ?? 0, samples / SAMPLE_RATE),
      })
    tell()
    const fields = [
      ["model", model],
      ["response_format", "verbose_json"],
      ["timestamp_granularities[]", "word"],
      ["timestamp_granularities[]", "segment"],
      ...(language === null ? [] : [["language", language.split("-")[0]!] as const]),
    ] as const
    for await (const { at, pcm, silent } of cutAtPauses(decodePcm({ path, declared_s, most_s, signal }), PART)) {
      samples = at + pcm.length
      if (!silent) {
        const length_s = pcm.length / SAMPLE_RATE
        const form = { fields, file: wavFile(pcm), length_s }
        const answer = parsed(await askServer(needServer(), "/audio/transcriptions", form, signal), host)
        const found = wordsOfAnswer(answer, length_s)
        const from = at / SAMPLE_RATE
        words.push(
          ...offsetWords(found.words, from).map((w) => ({ ...w, end: Math.min(w.end, samples / SAMPLE_RATE) })),
        )
        estimated ||= found.estimated
        heard ??= languageOf(answer)
      }
      tell()
    }
    return { words, duration_s: milliseconds(samples / SAMPLE_RATE), language: heard ?? language, estimated }
  }

  const transcribe = async (request: TranscribeRequest): Promise<Transcript> => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    signal.throwIfAborted()
    const model = request.model ?? configured ?? MODEL
    const { words, duration_s, language, estimated } = await listen(request, model, signal)
    const spans = normalizeWords(words, duration_s, "0")
    const how = { engine: "openai", model, language, duration_s, estimatedTimes: estimated } as const
    log.info({ model, words: spans.length, duration_s }, "transcribed by the speech server")
    if (spans.length === 0 || request.speakers === 1)
      return { ...how, words: spans, diarized: request.speakers === 1, notes: [] }
    try {
      request.progress({ phase: "speakers", done: 0, total: duration_s })
      const { path, speakers } = request
      const turns = await requestDiarization(needServer(), { path, length_s: duration_s, speakers, signal })
      request.progress({ phase: "speakers", done: duration_s, total: duration_s })
      return { ...how, words: assignSpeakers(spans, turns), diarized: turns.length > 0, notes: [] }
    } catch (error) {
      signal.throwIfAborted()
      const note = `Voices are not told apart, every word has speaker 0: ${messageOf(error)}.`
      return { ...how, words: spans, diarized: false, notes: [note] }
    }
  }

  return {
    name: "openai",
    probe: async (): Promise<EngineProbe> => {
      if (!server) return { available: false, detail: "no speech server: SERVICE_SPEECH_URL is not set" }
      const undecodable = await decoderMissing()
      if (undecodable) return { available: false, detail: undecodable }
      try {
        const response = await fetch(`${server.base}/models`, {
          headers: authorization(server),
          signal: AbortSignal.timeout(PROBE_MS),
        })
        await response.body?.cancel()
        if (response.status === 401 || response.status === 403)
          return {
            available: false,
            detail: `${server.base} does not let us in (${response.status}): check SERVICE_SPEECH_API_KEY`,
          }
        return { available: true, detail: `${configured ?? MODEL} at ${server.base}` }
      } catch (error) {
        return { available: false, detail: `no speech server answers at ${server.base} (${messageOf(error)})` }
      }
    },
    transcribe,
    close: async () => {
      closing.abort(new AppError("unavailable", "the speech engine is being shut down", { retry: "later" }))
    },
  }
}
