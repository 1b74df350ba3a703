import { AppError, messageOf } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import { EngineUnavailableError } from "./errors.ts"
import type { Transcriber, Transcript } from "./types.ts"

/**
 * The engine that `auto` chose, and behind it the next ones: they hear a recording when the chosen one cannot run at all,
 * because its model or its library is not to be had. That is said in the transcript's notes. Any other failure, and
 * every failure of an engine that somebody named, stays a failure. One that refuses the request (another language than it
 * knows) is passed over, and its sentence stands behind the first one's when nobody is left.
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
      const refusals: string[] = []
      for (const make of others) {
        const next = make()
        if (!(await next.probe()).available) continue
        const note = `Heard by ${next.name} in place of ${chosen.name}: ${error.message}.`
        log.warn({ chosen: chosen.name, next: next.name, detail: messageOf(error) }, "another speech engine takes over")
        // A model's name means nothing to another engine.
        try {
          const heard = await next.transcribe({ ...request, model: undefined })
          return { ...heard, notes: [note, ...heard.notes] }
        } catch (refusal) {
          if (!AppError.is(refusal) || refusal.code !== "invalid") throw refusal
          refusals.push(refusal.message)
        }
      }
      if (refusals.length === 0) throw error
      throw new AppError(error.code, [error.message, ...refusals].join(". "), { cause: error })
    }
  },
  close: () => chosen.close(),
})
