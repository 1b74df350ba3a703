import type { Config } from "../config.ts"
import type { EngineName } from "../contracts/jobs.ts"
import type { Logger } from "../logger.ts"
import { ENGINE_FACTORIES, noEngine, notBuilt } from "./engines/index.ts"
import type { EngineProbe, Speech, Transcriber } from "./types.ts"

export type SpeechOptions = {
  readonly config: Pick<Config, "speech">
  readonly log: Logger
  /** The installation's choice, made once and kept in the store. @throws AppError when no engine can run. */
  readonly choose: () => Promise<EngineName>
}

/** The engines of a process, each made at most once and only when first asked for. */
export const createSpeech = ({ log, choose, config }: SpeechOptions): Speech => {
  const made = new Map<EngineName, Transcriber>()
  return {
    pick: async (wish) => {
      const name = wish !== "auto" ? wish : config.speech.engine !== "auto" ? config.speech.engine : await choose()
      const kept = made.get(name)
      if (kept) return kept
      const create = ENGINE_FACTORIES[name]
      if (!create) throw notBuilt(name)
      const engine = create({ log, model: config.speech.model })
      made.set(name, engine)
      return engine
    },
    close: async () => {
      await Promise.all([...made.values()].map((engine) => engine.close()))
    },
  }
}

/** Asks every engine that this version has whether it can run here, best first. */
export const probeEngines = async (log: Logger): Promise<{ name: EngineName; probe: EngineProbe }[]> => {
  const names = Object.keys(ENGINE_FACTORIES) as EngineName[]
  return Promise.all(
    names.map(async (name) => {
      const engine = ENGINE_FACTORIES[name]!({ log, model: undefined })
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
 * @throws AppError `capability_missing` when none can, with the line that installs one.
 */
export const firstEngine = async (log: Logger): Promise<{ name: EngineName; reason: string }> => {
  const probed = await probeEngines(log)
  const found = probed.find(({ probe }) => probe.available)
  if (!found) throw noEngine()
  return { name: found.name, reason: found.probe.detail }
}
