import { AppError } from "../../domain/errors.ts"
import type { EngineName } from "../../domain/jobs/jobs.ts"
import { createOpenAi } from "./openai/engine.ts"
import { createPocketSphinx } from "./pocketsphinx/engine.ts"
import { createSherpa } from "./sherpa/engine.ts"
import type { EngineOptions, Transcriber } from "./types.ts"

/** Creates each supported engine. Ordered by preference: `auto` chooses the first that can run. */
export const ENGINE_FACTORIES: Readonly<Partial<Record<EngineName, (options: EngineOptions) => Transcriber>>> = {
  openai: createOpenAi,
  sherpa: createSherpa,
  pocketsphinx: createPocketSphinx,
}

export const engineNotImplemented = (name: EngineName): AppError =>
  new AppError(
    "capability_missing",
    `This version has no speech engine '${name}'. Use ${Object.keys(ENGINE_FACTORIES).join(", ")} or auto.`,
  )

export const noEngineError = (): AppError =>
  new AppError(
    "capability_missing",
    "No speech engine found. Run `npx earmark models pull parakeet-tdt-0.6b-v3-int8` (best, needs a network) or `apt-get install pocketsphinx pocketsphinx-en-us ffmpeg` (basic), or pass `transcription`.",
  )
