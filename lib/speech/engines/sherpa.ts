import { availableParallelism } from "node:os"
import { join } from "node:path"
import type { WordSpan } from "../../contracts/words.ts"
import { AppError, messageOf } from "../../errors.ts"
import { inBlocks } from "../blocks.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "../catalog/models.ts"
import { recogniserIn } from "../catalog/recogniser.ts"
import { decodePcm, SAMPLE_RATE } from "../decode.ts"
import { decoderMissing } from "../decoders.ts"
import { probeMedia } from "../probe-media.ts"
import { chooseModel } from "../sherpa/choose-model.ts"
import { nativeFolder, providerFor } from "../sherpa/device.ts"
import { type SpeechProcess, startSpeechProcess } from "../sherpa/process.ts"
import type { FeedAnswer } from "../sherpa/protocol.ts"
import { hearVoices } from "../sherpa/voices.ts"
import { wordsOf } from "../sherpa/words.ts"
import { assignSpeakers } from "../speakers.ts"
import type { EngineProbe, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { milliseconds, type TimedWord, toSpans } from "../words.ts"
import type { EngineOptions } from "./index.ts"

/** How much sound goes to the child at once. */
const BLOCK = 5 * SAMPLE_RATE
const MAX_THREADS = 8

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

type Loaded = { readonly child: SpeechProcess; loads: number }
type Listened = { words: TimedWord[]; duration_s: number; language: string | null; estimated: boolean }

/**
 * sherpa-onnx: Parakeet by default, Whisper by name, voices told apart. A model is loaded once, in a child process of
 * its own that stays; recordings go through it one after the other.
 */
export const createSherpa = ({ log, model: configured, shelf, device, enabled }: EngineOptions): Transcriber => {
  const closing = new AbortController()
  const processes = new Map<string, Loaded>()
  const threads = Math.min(availableParallelism(), MAX_THREADS)
  let turn: Promise<unknown> = Promise.resolve()

  /** Models that are needed, fetched with one progress for all of them. */
  const ensureAll = async (
    names: readonly string[],
    request: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<string[]> => {
    const total = await shelf.missingBytes(names)
    let before = 0
    const folders: string[] = []
    for (const name of names) {
      let size = 0
      const progress = (done: number, all: number): void => {
        size = all
        request.progress({ phase: "model", done: before + done, total: Math.max(total, before + all) })
      }
      folders.push(await shelf.ensure(name, { signal, progress }))
      before += size
    }
    return folders
  }

  /** The child that has the model loaded; started when there is none, or when the last one died. */
  const processFor = async (
    name: string,
    [folder = "", vad = ""]: readonly string[],
    signal: AbortSignal,
  ): Promise<SpeechProcess> => {
    const known = processes.get(name)
    if (known?.child.alive()) return known.child
    const model = await recogniserIn(folder)
    const began = performance.now()
    const child = startSpeechProcess(log)
    const loads = (known?.loads ?? 0) + 1
    processes.set(name, { child, loads })
    try {
      const given = { model, vad: join(vad, "silero_vad.onnx"), threads, provider: providerFor(device) }
      await child.call("loadRecogniser", given, { signal })
    } catch (error) {
      child.kill()
      throw error
    }
    const ms = Math.round(performance.now() - began)
    log.info({ model: name, pid: child.pid, loads, restarts: loads - 1, ms }, "speech model loaded")
    return child
  }

  const listen = async (
    request: TranscribeRequest,
    child: SpeechProcess,
    language: string,
    signal: AbortSignal,
  ): Promise<Listened> => {
    const { duration_s: declared_s } = await probeMedia(request.path, signal)
    const words: TimedWord[] = []
    const languages = new Map<string, number>()
    let estimated = false
    let samples = 0
    const take = ({ heard, done_s }: FeedAnswer): void => {
      for (const segment of heard) {
        const found = wordsOf(segment)
        words.push(...found.words)
        estimated ||= found.estimated
        if (segment.language) languages.set(segment.language, (languages.get(segment.language) ?? 0) + segment.length_s)
      }
      request.progress({ phase: "speech", done: done_s, total: Math.max(declared_s ?? 0, samples / SAMPLE_RATE) })
    }
    await child.call("begin", { language }, { signal })
    request.progress({ phase: "speech", done: 0, total: declared_s ?? 0 })
    for await (const pcm of inBlocks(decodePcm({ path: request.path, declared_s, signal }), BLOCK)) {
      samples += pcm.length
      take(await child.call("feed", { pcm }, { signal }))
    }
    take(await child.call("finish", null, { signal }))
    const [detected] = [...languages].sort((a, b) => b[1] - a[1])[0] ?? []
    return {
      words,
      duration_s: milliseconds(samples / SAMPLE_RATE),
      language: detected ?? (language || null),
      estimated,
    }
  }

  /** Speakers of the words. Whatever goes wrong costs them, never the words. */
  const tellApart = async (
    spans: WordSpan[],
    duration_s: number,
    request: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<Pick<Transcript, "words" | "diarized" | "notes">> => {
    if (spans.length === 0 || request.speakers === 1)
      return { words: spans, diarized: request.speakers === 1, notes: [] }
    try {
      const [segmentation = "", embedding = ""] = await ensureAll([SEGMENTATION, EMBEDDING], request, signal)
      const models = {
        segmentation: join(segmentation, "model.onnx"),
        embedding: join(embedding, "nemo_en_titanet_small.onnx"),
        threads,
        provider: providerFor(device),
      }
      const progress = (done: number, total: number) => request.progress({ phase: "speakers", done, total })
      const turns = await hearVoices(
        { path: request.path, duration_s, speakers: request.speakers, signal, progress },
        models,
        log,
      )
      if (turns.length === 0)
        return { words: spans, diarized: false, notes: ["No voices could be told apart: every word has speaker 0."] }
      return { words: assignSpeakers(spans, turns), diarized: true, notes: [] }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ detail: messageOf(error) }, "speakers not told apart")
      return {
        words: spans,
        diarized: false,
        notes: [`Speakers could not be told apart, every word has speaker 0: ${messageOf(error)}.`],
      }
    }
  }

  const transcribe = async (request: TranscribeRequest): Promise<Transcript> => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    signal.throwIfAborted()
    const wish = chooseModel({ language: request.language, model: request.model ?? configured })
    const folders = await ensureAll([wish.name, VAD], request, signal)
    const child = await processFor(wish.name, folders, signal)
    const began = performance.now()
    const { words, duration_s, language, estimated } = await listen(request, child, wish.language, signal)
    const listened_s = (performance.now() - began) / 1000
    const spoken = await tellApart(toSpans(words, duration_s, "0"), duration_s, request, signal)
    const took_s = (performance.now() - began) / 1000
    log.info({ model: wish.name, words: words.length, duration_s, listened_s, took_s }, "transcribed by sherpa")
    return { ...spoken, duration_s, language, engine: "sherpa", model: wish.name, estimatedTimes: estimated }
  }

  return {
    name: "sherpa",
    get usesGpu() {
      return device === "cuda" || (device === "auto" && providerFor("auto") === "cuda")
    },
    probe: async (): Promise<EngineProbe> => {
      if (!enabled) return { available: false, detail: "group audio is switched off by SERVICE_DISABLE_EXTRAS" }
      if (nativeFolder() === null)
        return {
          available: false,
          detail: "sherpa-onnx-node is not installed for this system: npm install sherpa-onnx-node",
        }
      const undecodable = await decoderMissing()
      if (undecodable) return { available: false, detail: undecodable }
      const name = configured === undefined ? PARAKEET : (findModel(configured)?.name ?? configured)
      const where = providerFor(device) === "cuda" ? "on the GPU" : `with ${threads} threads`
      const bytes = await shelf.missingBytes([name, VAD])
      if (bytes === 0 && (await shelf.isPresent(name))) return { available: true, detail: `${name} ${where}` }
      if (await shelf.isReachable(name))
        return { available: true, detail: `${name} ${where}; ${megabytes(bytes)} are fetched on first use` }
      return {
        available: false,
        detail: `the model ${name} is not there and its host is out of reach: \`earmark models pull ${name}\` with a network, then \`earmark engines set speech=sherpa\``,
      }
    },
    transcribe: (request) => {
      const mine = turn.then(() => transcribe(request))
      turn = mine.catch(() => {})
      return abortable(mine, request.signal)
    },
    close: async () => {
      closing.abort(new AppError("unavailable", "the speech engine is being shut down", { retry: "later" }))
      for (const { child } of processes.values()) child.kill()
      await turn
    },
  }
}

/** Leaves a wait for one's turn as soon as the caller gives up. */
const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
