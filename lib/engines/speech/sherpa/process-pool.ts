import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "../../../platform/logger.ts"
import { detectModelFormat } from "./model-format.ts"
import { type SpeechProcess, startSpeechProcess } from "./process.ts"
import type { Provider } from "./protocol.ts"

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

/**
 * Creates a pool with one child process per speech model. A model is loaded once, and again only after its process died.
 * Each load is logged and counted.
 */
export const createProcessPool = (log: Logger, { threads, silenceMs }: { threads: number; silenceMs: number }) => {
  const processes = new Map<string, { readonly child: SpeechProcess; readonly loads: number }>()

  const load = async ({ name, folder, vad, provider }: ModelToLoad, signal: AbortSignal): Promise<SpeechProcess> => {
    const existing = processes.get(name)
    if (existing?.child.isAlive()) return existing.child
    const model = await detectModelFormat(folder)
    const began = performance.now()
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

  return {
    /** Returns a process with the loaded model that has begun a recording. Replaces a process that died while idle. */
    begin: async (wanted: ModelToLoad, language: string, signal: AbortSignal): Promise<SpeechProcess> => {
      const child = await load(wanted, signal)
      try {
        await child.call("begin", { language }, { signal })
        return child
      } catch (error) {
        if (child.isAlive()) throw error
        const fresh = await load(wanted, signal)
        await fresh.call("begin", { language }, { signal })
        return fresh
      }
    },
    close: (): void => {
      for (const { child } of processes.values()) child.kill()
    },
  }
}
