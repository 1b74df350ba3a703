import { availableParallelism } from "node:os"
import { join } from "node:path"
import { AppError, messageOf } from "../../../domain/errors.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { verifyGroup } from "../../../platform/capabilities/verify-group.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "../../models/catalog.ts"
import { missingDecoderMessage } from "../audio/decode.ts"
import { assignSpeakers } from "../transcript/assign-speakers.ts"
import { normalizeWords } from "../transcript/words.ts"
import type { EngineOptions, EngineProbe, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { chooseModel } from "./choose-model.ts"
import { chooseProvider, findNativePackage } from "./device.ts"
import { diarize } from "./diarize.ts"
import { createProcessPool } from "./process-pool.ts"
import { EMBEDDING_FILE } from "./speaker-embedder.ts"
import { streamRecording } from "./stream-recording.ts"

const MAX_THREADS = 8

type WordsWithSpeakers = Pick<Transcript, "words" | "diarized" | "notes">

/** Rejects as soon as the signal is aborted, for example while the recording waits for its turn. */
const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })

/**
 * Creates the engine for sherpa-onnx: Parakeet by default, Whisper by name, with diarization. Each model is loaded once, in
 * its own child process. Recordings are transcribed one after the other.
 */
export const createSherpa = ({
  log,
  model: configured,
  registry,
  device,
  timeoutMs,
  enabled,
  maxDuration_s,
}: EngineOptions): Transcriber => {
  const closing = new AbortController()
  const threads = Math.min(availableParallelism(), MAX_THREADS)
  const pool = createProcessPool(log, { threads, silenceMs: timeoutMs })
  let queue: Promise<unknown> = Promise.resolve()

  /** Returns the folders of two models. Missing ones are downloaded, with one progress for both. */
  const ensureAll = async (
    names: readonly [string, string],
    { progress }: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<[string, string]> => {
    const total = await registry.missingBytes(names)
    let completed = 0
    const ensure = async (name: string): Promise<string> => {
      let size = 0
      const report = (done: number, all: number): void => {
        size = all
        progress({ phase: "model", done: completed + done, total: Math.max(total, completed + all) })
      }
      const waiting = () => log.info({ model: name }, "waiting for another process that is downloading the model")
      const folder = await registry.ensure(name, { signal, progress: report, waiting })
      completed += size
      return folder
    }
    return [await ensure(names[0]), await ensure(names[1])]
  }

  /** Assigns speakers to the words. A failure costs the speakers, never the words. */
  const diarizeWords = async (
    words: WordSpan[],
    samples: number,
    request: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<WordsWithSpeakers> => {
    if (words.length === 0 || request.speakers === 1) return { words, diarized: request.speakers === 1, notes: [] }
    const { path, speakers } = request
    try {
      const [segmentation, embedding] = await ensureAll([SEGMENTATION, EMBEDDING], request, signal)
      const models = {
        segmentation: join(segmentation, "model.onnx"),
        embedding: join(embedding, EMBEDDING_FILE),
        threads,
        provider: chooseProvider(device),
      }
      const progress = (done: number, total: number) => request.progress({ phase: "speakers", done, total })
      const processOptions = { log, silenceMs: timeoutMs }
      const turns = await diarize({ path, samples, speakers, signal, progress }, models, processOptions)
      if (turns.length > 0) return { words: assignSpeakers(words, turns), diarized: true, notes: [] }
      return { words, diarized: false, notes: ["No speaker labels: the diarizer found no speakers."] }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ detail: messageOf(error) }, "diarization failed")
      const note = `No speaker labels: diarization failed. ${messageOf(error)}`
      return { words, diarized: false, notes: [note] }
    }
  }

  const transcribe = async (request: TranscribeRequest): Promise<Transcript> => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    signal.throwIfAborted()
    const { name, language } = chooseModel({ language: request.language, model: request.model ?? configured })
    const provider = chooseProvider(device)
    const [folder, vad] = await ensureAll([name, VAD], request, signal)
    let began = 0
    const { terms = [] } = request
    const result = await pool.use({ name, folder, vad, provider }, { language, terms, signal }, (child) => {
      began = performance.now()
      return streamRecording(request, { child, language, maxDuration_s, signal })
    })
    const recognition_s = (performance.now() - began) / 1000
    const { duration_s, samples } = result
    const speech = await diarizeWords(normalizeWords(result.words, duration_s, "0"), samples, request, signal)
    const took_s = (performance.now() - began) / 1000
    log.info({ model: name, words: speech.words.length, duration_s, recognition_s, took_s }, "transcribed by sherpa")
    const source = { engine: "sherpa", model: name, estimatedTimes: result.estimated } as const
    return { ...speech, ...source, duration_s, language: result.language }
  }

  const probe = async (): Promise<EngineProbe> => {
    const unavailable = (detail: string) => ({ available: false as const, detail })
    if (!enabled) return unavailable("Group audio is disabled by SERVICE_DISABLE_EXTRAS.")
    if (findNativePackage() === null)
      return unavailable("sherpa-onnx-node is not installed for this system. Run npm install sherpa-onnx-node.")
    // Checked in a child process, because an incompatible native module may end the process that loads it.
    const proof = await verifyGroup("audio", { state: "present" })
    if (proof.state !== "present") return unavailable(`${proof.detail} Reinstall it: ${proof.install}`)
    const undecodable = await missingDecoderMessage()
    if (undecodable) return unavailable(undecodable)
    const name = configured === undefined ? PARAKEET : (findModel(configured)?.name ?? configured)
    let where: string
    try {
      where = chooseProvider(device) === "cuda" ? "on the GPU" : `with ${threads} threads`
    } catch (error) {
      return unavailable(messageOf(error))
    }
    const bytes = await registry.missingBytes([name, VAD])
    if (bytes === 0 && (await registry.isPresent(name))) return { available: true, detail: `${name} ${where}` }
    if (await registry.isReachable(name))
      return { available: true, detail: `${name} ${where}; ${Math.round(bytes / 1e6)} MB to download on first use` }
    return unavailable(
      registry.offline
        ? `The model ${name} is not installed, and SERVICE_MODELS_OFFLINE forbids downloads. Unset it, or copy the files to ${registry.modelDir(name)}.`
        : `The model ${name} is not installed and its host is unreachable. With a network, run \`npx earmark models pull ${name}\`, then \`npx earmark engines set speech=sherpa\`.`,
    )
  }

  return {
    name: "sherpa",
    get usesGpu() {
      return device !== "cpu" && chooseProvider("auto") === "cuda"
    },
    probe,
    transcribe: (request) => {
      const result = queue.then(() => transcribe(request))
      queue = result.catch(() => {})
      return abortable(result, request.signal)
    },
    close: async () => {
      closing.abort(new AppError("unavailable", "The speech engine is shutting down.", { retry: "later" }))
      pool.close()
      await queue
    },
  }
}
