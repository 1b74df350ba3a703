import { availableParallelism } from "node:os"
import { join } from "node:path"
import { AppError, messageOf } from "../../../domain/errors.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { verifyGroup } from "../../../platform/capabilities/verify-group.ts"
import { decoderMissing } from "../audio/decoders.ts"
import type { EngineOptions } from "../engines.ts"
import { EMBEDDING, findModel, PARAKEET, SEGMENTATION, VAD } from "../models/catalog.ts"
import { assignSpeakers } from "../transcript/assign-speakers.ts"
import { normalizeWords } from "../transcript/words.ts"
import type { EngineProbe, TranscribeRequest, Transcriber, Transcript } from "../types.ts"
import { chooseModel } from "./choose-model.ts"
import { nativeFolder, providerFor } from "./device.ts"
import { diarize } from "./diarize.ts"
import { createProcessPool } from "./process-pool.ts"
import { listen } from "./transcribe.ts"

const MAX_THREADS = 8

type Spoken = Pick<Transcript, "words" | "diarized" | "notes">

/** Leaves a wait for one's turn as soon as the caller gives up. */
const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })

/**
 * sherpa-onnx: Parakeet by default, Whisper by name, voices told apart. A model is loaded once, in a child process of
 * its own that stays; recordings go through it one after the other.
 */
export const createSherpa = ({
  log,
  model: configured,
  shelf,
  device,
  timeoutMs,
  enabled,
  most_s,
}: EngineOptions): Transcriber => {
  const closing = new AbortController()
  const threads = Math.min(availableParallelism(), MAX_THREADS)
  const keeper = createProcessPool(log, { threads, silenceMs: timeoutMs })
  let turn: Promise<unknown> = Promise.resolve()

  /** Folders of models that are needed, fetched with one progress for all of them. */
  const ensureAll = async (
    names: readonly [string, string],
    { progress }: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<[string, string]> => {
    const total = await shelf.missingBytes(names)
    let before = 0
    const ensure = async (name: string): Promise<string> => {
      let size = 0
      const tell = (done: number, all: number): void => {
        size = all
        progress({ phase: "model", done: before + done, total: Math.max(total, before + all) })
      }
      const waiting = () => log.info({ model: name }, "another process is fetching the model: waiting for it")
      const folder = await shelf.ensure(name, { signal, progress: tell, waiting })
      before += size
      return folder
    }
    return [await ensure(names[0]), await ensure(names[1])]
  }

  /** Speakers of the words. Whatever goes wrong costs them, never the words. */
  const tellApart = async (
    words: WordSpan[],
    samples: number,
    request: TranscribeRequest,
    signal: AbortSignal,
  ): Promise<Spoken> => {
    if (words.length === 0 || request.speakers === 1) return { words, diarized: request.speakers === 1, notes: [] }
    const { path, speakers } = request
    try {
      const [segmentation, embedding] = await ensureAll([SEGMENTATION, EMBEDDING], request, signal)
      const models = {
        segmentation: join(segmentation, "model.onnx"),
        embedding: join(embedding, "nemo_en_titanet_small.onnx"),
        threads,
        provider: providerFor(device),
      }
      const progress = (done: number, total: number) => request.progress({ phase: "speakers", done, total })
      const how = { log, silenceMs: timeoutMs }
      const turns = await diarize({ path, samples, speakers, signal, progress }, models, how)
      if (turns.length > 0) return { words: assignSpeakers(words, turns), diarized: true, notes: [] }
      return { words, diarized: false, notes: ["No voices could be told apart: every word has speaker 0."] }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ detail: messageOf(error) }, "speakers not told apart")
      const note = `Speakers could not be told apart, every word has speaker 0: ${messageOf(error)}.`
      return { words, diarized: false, notes: [note] }
    }
  }

  const transcribe = async (request: TranscribeRequest): Promise<Transcript> => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    signal.throwIfAborted()
    const { name, language } = chooseModel({ language: request.language, model: request.model ?? configured })
    const provider = providerFor(device)
    const [folder, vad] = await ensureAll([name, VAD], request, signal)
    const child = await keeper.begin({ name, folder, vad, provider }, language, signal)
    const began = performance.now()
    const heard = await listen(request, { child, language, most_s, signal })
    const listened_s = (performance.now() - began) / 1000
    const { duration_s, samples } = heard
    const spoken = await tellApart(normalizeWords(heard.words, duration_s, "0"), samples, request, signal)
    const took_s = (performance.now() - began) / 1000
    log.info({ model: name, words: spoken.words.length, duration_s, listened_s, took_s }, "transcribed by sherpa")
    const how = { engine: "sherpa", model: name, estimatedTimes: heard.estimated } as const
    return { ...spoken, ...how, duration_s, language: heard.language }
  }

  const probe = async (): Promise<EngineProbe> => {
    const no = (detail: string) => ({ available: false as const, detail })
    if (!enabled) return no("group audio is switched off by SERVICE_DISABLE_EXTRAS")
    if (nativeFolder() === null)
      return no("sherpa-onnx-node is not installed for this system: npm install sherpa-onnx-node")
    // In a child: a native part that does not fit this machine may end the process that loads it.
    const proof = await verifyGroup("audio", { state: "present" })
    if (proof.state !== "present") return no(`${proof.detail} Install it anew with: ${proof.install}`)
    const undecodable = await decoderMissing()
    if (undecodable) return no(undecodable)
    const name = configured === undefined ? PARAKEET : (findModel(configured)?.name ?? configured)
    let where: string
    try {
      where = providerFor(device) === "cuda" ? "on the GPU" : `with ${threads} threads`
    } catch (error) {
      return no(messageOf(error))
    }
    const bytes = await shelf.missingBytes([name, VAD])
    if (bytes === 0 && (await shelf.isPresent(name))) return { available: true, detail: `${name} ${where}` }
    if (await shelf.isReachable(name))
      return { available: true, detail: `${name} ${where}; ${Math.round(bytes / 1e6)} MB are fetched on first use` }
    return no(
      shelf.offline
        ? `the model ${name} is not there, and SERVICE_MODELS_OFFLINE forbids fetching it: unset that, or copy its files to ${shelf.folderOf(name)}`
        : `the model ${name} is not there and its host is out of reach: \`npx earmark models pull ${name}\` with a network, then \`npx earmark engines set speech=sherpa\``,
    )
  }

  return {
    name: "sherpa",
    get usesGpu() {
      return device !== "cpu" && providerFor("auto") === "cuda"
    },
    probe,
    transcribe: (request) => {
      const mine = turn.then(() => transcribe(request))
      turn = mine.catch(() => {})
      return abortable(mine, request.signal)
    },
    close: async () => {
      closing.abort(new AppError("unavailable", "the speech engine is being shut down", { retry: "later" }))
      keeper.close()
      await turn
    },
  }
}
