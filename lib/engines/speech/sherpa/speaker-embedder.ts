import { availableParallelism } from "node:os"
import { join } from "node:path"
import type { Logger } from "../../../platform/logger.ts"
import { EMBEDDING } from "../../models/catalog.ts"
import type { ModelRegistry } from "../../models/registry.ts"
import type { SpeakerEmbedder } from "../speaker-embedding/embed-speakers.ts"
import { chooseProvider } from "./device.ts"
import { startSpeechProcess } from "./process.ts"

const MAX_THREADS = 4
/** The file of the model, as published. */
export const EMBEDDING_FILE = "nemo_en_titanet_small.onnx"

/**
 * Starts sherpa-onnx with the speaker embedding model of the diarizer, in a child process of its own. Returns null if the model
 * is not installed, because recognizing people is not worth a download.
 */
export const startSherpaEmbedder = async (options: {
  readonly log: Logger
  readonly registry: ModelRegistry
  readonly device: "auto" | "cpu" | "cuda"
  readonly timeoutMs: number
  readonly signal: AbortSignal
}): Promise<SpeakerEmbedder | null> => {
  const { log, registry, device, timeoutMs, signal } = options
  if (!(await registry.isPresent(EMBEDDING))) return null
  const embedding = join(
    await registry.ensure(EMBEDDING, { signal, progress: () => {}, waiting: () => {} }),
    EMBEDDING_FILE,
  )
  const child = startSpeechProcess(log, timeoutMs)
  try {
    const threads = Math.min(availableParallelism(), MAX_THREADS)
    await child.call("loadEmbedder", { embedding, threads, provider: chooseProvider(device) }, { signal })
  } catch (error) {
    child.kill()
    throw error
  }
  return {
    id: `sherpa:${EMBEDDING_FILE.replace(/\.onnx$/, "")}`,
    embed: (pcm, signal) => child.call("embed", { pcm }, { signal }),
    close: () => child.kill(),
  }
}
