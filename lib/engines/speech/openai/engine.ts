import { AppError, messageOf } from "../../../domain/errors.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"
import { cutAtPauses } from "../audio/chunks.ts"
import { decodePcm, missingDecoderMessage, SAMPLE_RATE } from "../audio/decode.ts"
import { probeMedia } from "../audio/probe-media.ts"
import { assignSpeakers } from "../transcript/assign-speakers.ts"
import { normalizeWords, offsetWords, roundToMilliseconds } from "../transcript/words.ts"
import type { EngineOptions, EngineProbe, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { requestDiarization } from "./diarization.ts"
import { detectLanguageCode, extractWords, verboseResponse } from "./parse-response.ts"
import { authorization, postAudio, resolveServer, serverErrorDetail } from "./request.ts"
import { wavFile } from "./wav.ts"

/** Within the usual limits of 25 MB and ten minutes. A WAV part has at most 19 MB. */
const PART_LIMITS = { min_s: 300, max_s: 590 }
/** The default model name of most servers. */
const DEFAULT_MODEL = "whisper-1"
const PROBE_TIMEOUT_MS = 1500

/** Whisper reads the last 224 tokens of a prompt, of about three characters each for names. */
const MAX_PROMPT_CHARS = 600

/** Returns as many terms as a Whisper model reads, as it would write them in a transcript. */
const vocabularyPrompt = (terms: readonly string[]): string => {
  let prompt = ""
  for (const term of terms) {
    const longer = prompt === "" ? term : `${prompt}, ${term}`
    if (longer.length < MAX_PROMPT_CHARS) prompt = longer
  }
  return prompt === "" ? "" : `${prompt}.`
}

const parseTranscription = (body: string, host: string) => {
  try {
    return verboseResponse.parse(JSON.parse(body))
  } catch (cause) {
    throw new AppError(
      "unavailable",
      `The speech server ${host} did not return verbose_json${serverErrorDetail(body)}. Check that SERVICE_SPEECH_URL is an OpenAI-compatible server.`,
      { cause, retry: "retry" },
    )
  }
}

/**
 * Creates the engine for servers with OpenAI's `POST /v1/audio/transcriptions`. Recordings are sent in parts of up to ten
 * minutes, split at pauses. Speakers come from `/v1/audio/diarization`, if the server has it.
 */
export const createOpenAi = ({ log, model: configured, url, maxDuration_s, ...access }: EngineOptions): Transcriber => {
  const closing = new AbortController()
  const server = url === undefined ? null : resolveServer(url, access)

  const requireServer = () => {
    if (server) return server
    throw new AppError("unavailable", "The speech engine openai has no server. Set SERVICE_SPEECH_URL.")
  }

  const transcribeParts = async (request: TranscribeRequest, model: string, signal: AbortSignal) => {
    const { path, progress, language, terms = [] } = request
    const prompt = vocabularyPrompt(terms)
    const { host } = new URL(requireServer().base)
    const { duration_s: declared_s } = await probeMedia(path, signal, maxDuration_s)
    const words: TimedWord[] = []
    let [samples, estimated] = [0, false]
    let detected: string | null = null
    const report = () =>
      progress({
        phase: "speech",
        done: samples / SAMPLE_RATE,
        total: Math.max(declared_s ?? 0, samples / SAMPLE_RATE),
      })
    report()
    const fields = [
      ["model", model],
      ["response_format", "verbose_json"],
      ["timestamp_granularities[]", "word"],
      ["timestamp_granularities[]", "segment"],
      ...(language === null ? [] : [["language", language.split("-")[0]!] as const]),
      ...(prompt === "" ? [] : [["prompt", prompt] as const]),
    ] as const
    for await (const { offset, pcm, silent } of cutAtPauses(
      decodePcm({ path, declared_s, maxDuration_s, signal }),
      PART_LIMITS,
    )) {
      samples = offset + pcm.length
      if (!silent) {
        const length_s = pcm.length / SAMPLE_RATE
        const form = { fields, file: wavFile(pcm), length_s }
        const response = parseTranscription(
          await postAudio(requireServer(), "/audio/transcriptions", form, signal),
          host,
        )
        const found = extractWords(response, length_s)
        const from_s = offset / SAMPLE_RATE
        const timed = offsetWords(found.words, from_s).map((w) => ({
          ...w,
          end: Math.min(w.end, samples / SAMPLE_RATE),
        }))
        words.push(...timed)
        request.onWords?.(timed)
        estimated ||= found.estimated
        detected ??= detectLanguageCode(response)
      }
      report()
    }
    return { words, duration_s: roundToMilliseconds(samples / SAMPLE_RATE), language: detected ?? language, estimated }
  }

  const transcribe = async (request: TranscribeRequest): Promise<Transcript> => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    signal.throwIfAborted()
    const model = request.model ?? configured ?? DEFAULT_MODEL
    const { words, duration_s, language, estimated } = await transcribeParts(request, model, signal)
    const spans = normalizeWords(words, duration_s, "0")
    const source = { engine: "openai", model, language, duration_s, estimatedTimes: estimated } as const
    log.info({ model, words: spans.length, duration_s }, "transcribed by the speech server")
    if (spans.length === 0 || request.speakers === 1)
      return { ...source, words: spans, diarized: request.speakers === 1, notes: [] }
    try {
      request.progress({ phase: "speakers", done: 0, total: duration_s })
      const { path, speakers } = request
      const turns = await requestDiarization(requireServer(), { path, length_s: duration_s, speakers, signal })
      request.progress({ phase: "speakers", done: duration_s, total: duration_s })
      return { ...source, words: assignSpeakers(spans, turns), diarized: turns.length > 0, notes: [] }
    } catch (error) {
      signal.throwIfAborted()
      const note = `No speaker labels: diarization failed. ${messageOf(error)}`
      return { ...source, words: spans, diarized: false, notes: [note] }
    }
  }

  return {
    name: "openai",
    probe: async (): Promise<EngineProbe> => {
      if (!server) return { available: false, detail: "SERVICE_SPEECH_URL is not set." }
      const undecodable = await missingDecoderMessage()
      if (undecodable) return { available: false, detail: undecodable }
      try {
        const response = await fetch(`${server.base}/models`, {
          headers: authorization(server),
          signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
        })
        await response.body?.cancel()
        if (response.status === 401 || response.status === 403)
          return {
            available: false,
            detail: `${server.base} rejected the API key (HTTP ${response.status}). Check SERVICE_SPEECH_API_KEY.`,
          }
        return { available: true, detail: `${configured ?? DEFAULT_MODEL} at ${server.base}` }
      } catch (error) {
        return { available: false, detail: `No speech server responds at ${server.base} (${messageOf(error)}).` }
      }
    },
    transcribe,
    close: async () => {
      closing.abort(new AppError("unavailable", "The speech engine is shutting down.", { retry: "later" }))
    },
  }
}
