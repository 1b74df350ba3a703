import type { EngineName } from "../../domain/jobs/jobs.ts"
import type { SpeakerEmbeddings } from "../../domain/people/speaker-embeddings.ts"
import { thresholdsOf } from "../../domain/people/thresholds.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { createModelRegistry } from "../models/registry.ts"
import { cutAudio } from "./audio/cut-audio.ts"
import { computeWaveform } from "./audio/waveform.ts"
import { ENGINE_FACTORIES, engineNotImplemented, noEngineError } from "./engines.ts"
import { withFallbackEngine } from "./fallback-engine.ts"
import { startSherpaEmbedder } from "./sherpa/speaker-embedder.ts"
import { createBuiltinEmbedder } from "./speaker-embedding/builtin-embedder.ts"
import { type EmbedRequest, embedSpeakers } from "./speaker-embedding/embed-speakers.ts"
import type { EngineOptions, EngineProbe, Speech, Transcriber } from "./types.ts"

type SpeechConfig = Pick<Config, "speech" | "disabledExtras">

export type SpeechOptions = {
  readonly config: SpeechConfig
  readonly log: Logger
  /** Returns the engine that this installation chose for `auto`. @throws AppError if no engine can run */
  readonly choose: () => Promise<EngineName>
}

const ENGINE_NAMES = Object.keys(ENGINE_FACTORIES) as EngineName[]

/** Opens the model registry that the settings describe. */
export const openModelRegistry = ({ speech }: Pick<Config, "speech">) => createModelRegistry(speech.models)

const engineOptions = ({ speech, disabledExtras }: SpeechConfig, log: Logger): EngineOptions => ({
  log,
  model: speech.model,
  registry: openModelRegistry({ speech }),
  device: speech.device,
  url: speech.url,
  apiKey: speech.apiKey,
  timeoutMs: speech.timeoutMs,
  maxDuration_s: speech.maxDuration_s,
  enabled: !disabledExtras.includes("audio"),
})

/** Computes embeddings with the best embedder that can run without a download. */
const computeEmbeddings = async (
  request: EmbedRequest,
  { log, registry, device, timeoutMs, enabled }: EngineOptions,
  { speech }: SpeechConfig,
): Promise<SpeakerEmbeddings | null> => {
  const { signal } = request
  const sherpa = enabled ? await startSherpaEmbedder({ log, registry, device, timeoutMs, signal }) : null
  const embedder = sherpa ?? createBuiltinEmbedder()
  const thresholds = thresholdsOf(embedder.id, speech.speakers.threshold)
  if (!thresholds) throw new Error(`The embedder ${embedder.id} has no thresholds.`)
  try {
    return { embedder: embedder.id, thresholds, speakers: await embedSpeakers(request, embedder) }
  } finally {
    embedder.close()
  }
}

/** Creates the speech engines of a process. Each engine is created on first use. */
export const createSpeech = ({ log, choose, config }: SpeechOptions): Speech => {
  const engines = new Map<string, Transcriber>()
  const options = engineOptions(config, log)
  const engine = (name: EngineName, model = options.model ?? null): Transcriber => {
    const key = `${name} ${model ?? ""}`
    const existing = engines.get(key)
    if (existing) return existing
    const create = ENGINE_FACTORIES[name]
    if (!create) throw engineNotImplemented(name)
    const created = create({ ...options, model: model ?? undefined })
    engines.set(key, created)
    return created
  }
  return {
    pick: async (requested) => {
      if (requested !== "auto") return engine(requested)
      if (config.speech.engine !== "auto") return engine(config.speech.engine)
      const chosen = await choose()
      // SERVICE_SPEECH_MODEL names a model of the chosen engine, so a fallback engine uses its default.
      const others = ENGINE_NAMES.filter((name) => name !== chosen).map((name) => () => engine(name, null))
      return withFallbackEngine(engine(chosen), others, log)
    },
    embedSpeakers: (request) =>
      config.speech.speakers.embeddings ? computeEmbeddings(request, options, config) : Promise.resolve(null),
    computeWaveform: (path, signal) => computeWaveform(path, config.speech.maxDuration_s, signal),
    cutAudio,
    close: async () => {
      await Promise.all([...engines.values()].map((engine) => engine.close()))
    },
  }
}

/** Creates one engine, which the caller closes. @throws AppError `capability_missing` for an unknown engine */
export const createTranscriber = (config: SpeechConfig, log: Logger, name: string): Transcriber => {
  const create = ENGINE_FACTORIES[name as EngineName]
  if (!create) throw engineNotImplemented(name as EngineName)
  return create(engineOptions(config, log))
}

/** Probes every engine, in order of preference. */
export const probeEngines = async (
  config: SpeechConfig,
  log: Logger,
): Promise<{ name: EngineName; probe: EngineProbe }[]> => {
  const options = engineOptions(config, log)
  return Promise.all(
    ENGINE_NAMES.map(async (name) => {
      const engine = ENGINE_FACTORIES[name]!(options)
      try {
        return { name, probe: await engine.probe() }
      } finally {
        await engine.close()
      }
    }),
  )
}

/**
 * Finds the best engine that can run here. The reason also says why better engines cannot run.
 * @throws AppError `capability_missing` if none can run
 */
export const detectEngine = async (
  config: SpeechConfig,
  log: Logger,
): Promise<{ name: EngineName; reason: string }> => {
  const probed = await probeEngines(config, log)
  const index = probed.findIndex(({ probe }) => probe.available)
  const found = probed[index]
  if (!found) throw noEngineError()
  const better = probed.slice(0, index).map(({ name, probe }) => `not ${name}: ${probe.detail.replace(/\.$/, "")}`)
  return { name: found.name, reason: [found.probe.detail, ...better].join("; ") }
}
