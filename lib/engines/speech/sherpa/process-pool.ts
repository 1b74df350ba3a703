import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "../../../platform/logger.ts"
import { detectModelFormat } from "./model-format.ts"
import { type SpeechProcess, startSpeechProcess } from "./process.ts"
import type { BeginRecording, Provider } from "./protocol.ts"

export type ModelToLoad = {
  readonly name: string
  /** The folders of the speech model and the VAD model. */
  readonly folder: string
  readonly vad: string
  readonly provider: Provider
}

/** Matches sherpa's output if its libraries cannot use the GPU. It then continues on the CPU, many times slower. */
const CPU_FALLBACK = /fallback to cpu/i
const STDERR_DELAY_MS = 200
const CPU_FALLBACK_WARNING =
  "speech model runs on the CPU: sherpa-onnx could not use the GPU (docs/speech.md, Use a GPU)"

/** Each model takes up to 2 GB of memory. */
const MAX_LOADED_MODELS = 2

type PoolEntry = { readonly child: SpeechProcess; readonly loads: number }

/**
 * Creates a pool with one child process per speech model. A model is loaded once, and again only after its process died or
 * was stopped. At most two models stay loaded: another one replaces the least recently used, unless that is transcribing.
 * Each load is logged and counted.
 */
export const createProcessPool = (log: Logger, { threads, silenceMs }: { threads: number; silenceMs: number }) => {
  /** By model, least recently used first. */
  const processes = new Map<string, PoolEntry>()
  /** Recordings that are being transcribed, by model. */
  const recordings = new Map<string, number>()

  const unloadUnused = (): void => {
    for (const [name, { child }] of processes) {
      if (processes.size < MAX_LOADED_MODELS) return
      if (recordings.get(name)) continue
      child.kill()
      processes.delete(name)
      log.info({ model: name }, "speech model unloaded")
    }
  }

  const load = async ({ name, folder, vad, provider }: ModelToLoad, signal: AbortSignal): Promise<SpeechProcess> => {
    const existing = processes.get(name)
    if (existing?.child.isAlive()) {
      processes.delete(name)
      processes.set(name, existing)
      return existing.child
    }
    const model = await detectModelFormat(folder)
    const began = performance.now()
    processes.delete(name)
    unloadUnused()
    const child = startSpeechProcess(log, silenceMs)
    const loads = (existing?.loads ?? 0) + 1
    processes.set(name, { child, loads })
    try {
      await child.call("loadRecognizer", { model, vad: join(vad, "silero_vad.onnx"), threads, provider }, { signal })
    } catch (error) {
      child.kill()
      throw error
    }
    const ms = Math.round(performance.now() - began)
    // stderr arrives through a separate pipe and may be delayed.
    if (provider === "cuda") await sleep(STDERR_DELAY_MS)
    const device = provider === "cuda" && !CPU_FALLBACK.test(child.stderr()) ? "cuda" : "cpu"
    log.info({ model: name, device, child: child.pid, loads, restarts: loads - 1, ms }, "speech model loaded")
    if (provider !== device) log.warn({ model: name, stderr: child.stderr().slice(-500) }, CPU_FALLBACK_WARNING)
    return child
  }

  const begin = async (wanted: ModelToLoad, recording: BeginRecording, signal: AbortSignal): Promise<SpeechProcess> => {
    const child = await load(wanted, signal)
    try {
      await child.call("begin", recording, { signal })
      return child
    } catch (error) {
      if (child.isAlive()) throw error
      const fresh = await load(wanted, signal)
      await fresh.call("begin", recording, { signal })
      return fresh
    }
  }

  const countRecording = (name: string, change: 1 | -1): void => {
    recordings.set(name, (recordings.get(name) ?? 0) + change)
  }

  return {
    /**
     * Runs `work` with a process that has loaded the model and begun a recording. Replaces a process that died while idle.
     */
    use: async <T>(
      wanted: ModelToLoad,
      { signal, ...recording }: BeginRecording & { readonly signal: AbortSignal },
      work: (child: SpeechProcess) => Promise<T>,
    ): Promise<T> => {
      countRecording(wanted.name, 1)
      try {
        return await work(await begin(wanted, recording, signal))
      } finally {
        countRecording(wanted.name, -1)
      }
    },
    close: (): void => {
      for (const { child } of processes.values()) child.kill()
    },
  }
}
