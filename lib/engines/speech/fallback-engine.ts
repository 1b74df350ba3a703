import { AppError, messageOf } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import { EngineUnavailableError } from "../errors.ts"
import type { Transcriber, Transcript } from "./types.ts"

/**
 * Wraps the engine that `auto` chose. If it throws EngineUnavailableError, the first of the other engines that can run
 * transcribes the recording, and the first note of the transcript says so. Any other error is passed on. An engine that
 * rejects the request, such as one that does not support the language, is skipped. If none is left, the error lists its
 * reason too.
 */
export const withFallbackEngine = (
  chosen: Transcriber,
  others: readonly (() => Transcriber)[],
  log: Logger,
): Transcriber => ({
  name: chosen.name,
  get usesGpu() {
    return chosen.usesGpu ?? false
  },
  probe: () => chosen.probe(),
  transcribe: async (request): Promise<Transcript> => {
    try {
      return await chosen.transcribe(request)
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error
      const rejections: string[] = []
      for (const createNext of others) {
        const next = createNext()
        if (!(await next.probe()).available) continue
        const note = `Transcribed by ${next.name} instead of ${chosen.name}: ${error.message}`
        log.warn(
          { chosen: chosen.name, next: next.name, detail: messageOf(error) },
          "falling back to another speech engine",
        )
        try {
          const transcript = await next.transcribe({ ...request, model: undefined })
          return { ...transcript, notes: [note, ...transcript.notes] }
        } catch (rejection) {
          if (!AppError.is(rejection) || rejection.code !== "invalid") throw rejection
          rejections.push(rejection.message)
        }
      }
      if (rejections.length === 0) throw error
      throw new AppError(error.code, [error.message, ...rejections].join(" "), { cause: error })
    }
  },
  close: () => chosen.close(),
})
