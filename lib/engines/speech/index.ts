import type { EngineName } from "../../domain/jobs/jobs.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { computeWaveform } from "./audio/waveform.ts"
import { ENGINE_FACTORIES, type EngineOptions, engineNotImplemented, noEngine } from "./engines.ts"
import { withFallbackEngine } from "./fallback-engine.ts"
import { createModelRegistry } from "./models/registry.ts"
import type { EngineProbe, Speech, Transcriber } from "./types.ts"

type SpeechConfig = Pick<Config, "speech" | "disabledExtras">

export type SpeechOptions = {
  readonly config: SpeechConfig
  readonly log: Logger
  /** The installation's choice, made once and kept in the store. @throws AppError when no engine can run. */
  readonly choose: () => Promise<EngineName>
}

const NAMES = Object.keys(ENGINE_FACTORIES) as EngineName[]

/** What the settings say about models on this machine. */
export const openModelRegistry = ({ speech }: Pick<Config, "speech">) => createModelRegistry(speech.models)

const engineOptions = ({ speech, disabledExtras }: SpeechConfig, log: Logger): EngineOptions => ({
  log,
  model: speech.model,
  shelf: openModelRegistry({ speech }),
  device: speech.device,
  url: speech.url,
  apiKey: speech.apiKey,
  timeoutMs: speech.timeoutMs,
  most_s: speech.most_s,
  enabled: !disabledExtras.includes("audio"),
})

/** The engines of a process, each made at most once and only when first asked for. */
export const createSpeech = ({ log, choose, config }: SpeechOptions): Speech => {
  const made = new Map<string, Transcriber>()
  const options = engineOptions(config, log)
  const engine = (name: EngineName, model = options.model ?? null): Transcriber => {
    const key = `${name} ${model ?? ""}`
    const kept = made.get(key)
    if (kept) return kept
    const create = ENGINE_FACTORIES[name]
    if (!create) throw engineNotImplemented(name)
    const fresh = create({ ...options, model: model ?? undefined })
    made.set(key, fresh)
    return fresh
  }
  return {
    pick: async (wish) => {
      if (wish !== "auto") return engine(wish)
      if (config.speech.engine !== "auto") return engine(config.speech.engine)
      const chosen = await choose()
      // The model that the settings name means nothing to an engine that stands in.
      const others = NAMES.filter((name) => name !== chosen).map((name) => () => engine(name, null))
      return withFallbackEngine(engine(chosen), others, log)
    },
    loudness: (path, signal) => computeWaveform(path, config.speech.most_s, signal),
    close: async () => {
      await Promise.all([...made.values()].map((engine) => engine.close()))
    },
  }
}

/** Asks every engine that this version has whether it can run here, best first. */
export const probeEngines = async (
  config: SpeechConfig,
  log: Logger,
): Promise<{ name: EngineName; probe: EngineProbe }[]> => {
  const options = engineOptions(config, log)
  return Promise.all(
    NAMES.map(async (name) => {
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
 * The first engine that can run here, with the reason in words: what an installation whose setting is `auto` chooses.
 * The reason also says why a better one was not taken.
 * @throws AppError `capability_missing` when none can, with the line that installs one.
 */
export const detectEngine = async (
  config: SpeechConfig,
  log: Logger,
): Promise<{ name: EngineName; reason: string }> => {
  const probed = await probeEngines(config, log)
  const at = probed.findIndex(({ probe }) => probe.available)
  const found = probed[at]
  if (!found) throw noEngine()
  const better = probed.slice(0, at).map(({ name, probe }) => `not ${name}: ${probe.detail}`)
  return { name: found.name, reason: [found.probe.detail, ...better].join("; ") }
}
