import { AppError } from "../../domain/errors.ts"
import type { EngineName } from "../../domain/jobs/jobs.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Shelf } from "./models/registry.ts"
import { createOpenAi } from "./openai/engine.ts"
import { createPocketSphinx } from "./pocketsphinx/engine.ts"
import { createSherpa } from "./sherpa/engine.ts"
import type { Transcriber } from "./types.ts"

export type EngineOptions = {
  readonly log: Logger
  /** The model that SERVICE_SPEECH_MODEL names, for requests that name none; undefined: the engine's own default. */
  readonly model: string | undefined
  /** The models of this machine. */
  readonly shelf: Shelf
  readonly device: "auto" | "cpu" | "cuda"
  /** Of an OpenAI-compatible server; undefined: there is none. */
  readonly url: string | undefined
  readonly apiKey: string | undefined
  /** Longest silence of a child at work; and how long a server may take for ten minutes of sound. */
  readonly timeoutMs: number
  /** The longest recording that is taken, in seconds. */
  readonly most_s: number
  /** Whether the packages of group `audio` may be used. */
  readonly enabled: boolean
}

/** The engines of this version, best first: one file an engine, one row here. */
export const ENGINE_FACTORIES: Readonly<Partial<Record<EngineName, (options: EngineOptions) => Transcriber>>> = {
  openai: createOpenAi,
  sherpa: createSherpa,
  pocketsphinx: createPocketSphinx,
}

/** The refusal of an engine that the contract names and this version does not have. */
export const engineNotImplemented = (name: EngineName): AppError =>
  new AppError(
    "capability_missing",
    `the speech engine '${name}' is not part of this version; ask for ${Object.keys(ENGINE_FACTORIES).join(" or ")}, or for auto`,
  )

/** What is said where not one engine can run. */
export const noEngine = (): AppError =>
  new AppError(
    "capability_missing",
    "no speech engine found: `npx earmark models pull parakeet-tdt-0.6b-v3-int8` with a network brings the best one, apt-get install pocketsphinx pocketsphinx-en-us ffmpeg  a plain one (or pass `transcription`)",
  )
