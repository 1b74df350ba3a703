import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "../../../platform/logger.ts"
import { detectModelFormat } from "../models/model-format.ts"
import { type SpeechProcess, startSpeechProcess } from "./process.ts"
import type { Provider } from "./protocol.ts"

export type Wanted = {
  readonly name: string
  /** Folders of the speech model and of the detector of speech. */
  readonly folder: string
  readonly vad: string
  readonly provider: Provider
}

/** What sherpa writes when its libraries cannot use the GPU: it goes on without, many times slower. */
const FELL_BACK = /fallback to cpu/i
const SAID_MS = 200
const SLOW = "the speech model runs on the processor: sherpa-onnx could not use the GPU (docs/speech.md, A GPU)"

/**
 * Keeps a child for each speech model that was asked for: loaded once, and again only when a child died. Every load is
 * logged with its number.
 */
export const createProcessPool = (log: Logger, { threads, silenceMs }: { threads: number; silenceMs: number }) => {
  const kept = new Map<string, { readonly child: SpeechProcess; readonly loads: number }>()

  const load = async ({ name, folder, vad, provider }: Wanted, signal: AbortSignal): Promise<SpeechProcess> => {
    const known = kept.get(name)
    if (known?.child.alive()) return known.child
    const model = await detectModelFormat(folder)
    const began = performance.now()
    const child = startSpeechProcess(log, silenceMs)
    const loads = (known?.loads ?? 0) + 1
    kept.set(name, { child, loads })
    try {
      await child.call("loadRecogniser", { model, vad: join(vad, "silero_vad.onnx"), threads, provider }, { signal })
    } catch (error) {
      child.kill()
      throw error
    }
    const ms = Math.round(performance.now() - began)
    // What was said of the GPU comes by a pipe of its own, perhaps behind the answer.
    if (provider === "cuda") await sleep(SAID_MS)
    const device = provider === "cuda" && !FELL_BACK.test(child.said()) ? "cuda" : "cpu"
    log.info({ model: name, device, child: child.pid, loads, restarts: loads - 1, ms }, "speech model loaded")
    if (provider !== device) log.warn({ model: name, said: child.said().slice(-500) }, SLOW)
    return child
  }

  return {
    /** A child with the model loaded that has begun a recording. One that died while it idled is replaced unseen. */
    begin: async (wanted: Wanted, language: string, signal: AbortSignal): Promise<SpeechProcess> => {
      const child = await load(wanted, signal)
      try {
        await child.call("begin", { language }, { signal })
        return child
      } catch (error) {
        if (child.alive()) throw error
        const fresh = await load(wanted, signal)
        await fresh.call("begin", { language }, { signal })
        return fresh
      }
    },
    close: (): void => {
      for (const { child } of kept.values()) child.kill()
    },
  }
}
