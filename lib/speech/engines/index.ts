import type { EngineName } from "../../contracts/jobs.ts"
import { AppError } from "../../errors.ts"
import type { Logger } from "../../logger.ts"
import type { Transcriber } from "../types.ts"
import { createPocketSphinx } from "./pocketsphinx.ts"

export type EngineOptions = {
  readonly log: Logger
  /** The model that SERVICE_SPEECH_MODEL names, for requests that name none; undefined: the engine's own default. */
  readonly model: string | undefined
}

/** The engines of this version, best first: one file an engine, one row here. */
export const ENGINE_FACTORIES: Readonly<Partial<Record<EngineName, (options: EngineOptions) => Transcriber>>> = {
  pocketsphinx: createPocketSphinx,
}

/** The refusal of an engine that the contract names and this version does not have. */
export const notBuilt = (name: EngineName): AppError =>
  new AppError(
    "capability_missing",
    `the speech engine '${name}' is not part of this version; ask for ${Object.keys(ENGINE_FACTORIES).join(" or ")}, or for auto`,
  )

/** What is said where not one engine can run. */
export const noEngine = (): AppError =>
  new AppError(
    "capability_missing",
    "no speech engine found: install one with  apt-get install pocketsphinx pocketsphinx-en-us ffmpeg  (or pass `transcription`)",
  )
