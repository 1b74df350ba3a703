import { setTimeout as pause } from "node:timers/promises"
import { AppError } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"

const FIRST_MS = 250
const LONGEST_MS = 5_000

/** What another start would meet as well, or what may be there in a moment. */
const mayCome = (failure: unknown): failure is AppError =>
  AppError.is(failure) && failure.code === "unavailable" && failure.retry === "retry"

/** The supervisor that started this process is gone: nobody waits for it. */
const orphaned = (): boolean => process.send !== undefined && !process.connected

/**
 * Opens what another host keeps and may not have begun to keep: hosts start in any order. Waits for as long as nobody
 * answers there, and says so once for each reason.
 * @throws what `open` throws, when time does not mend it
 */
export const waitForDatabase = async <T>(open: () => Promise<T>, log: Pick<Logger, "warn" | "info">): Promise<T> => {
  let said: string | null = null
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(LONGEST_MS, waitMs * 2)) {
    try {
      const opened = await open()
      if (said !== null) log.info("the database is there")
      return opened
    } catch (failure) {
      if (!mayCome(failure) || orphaned()) throw failure
      if (said !== failure.message) log.warn({ detail: failure.message }, "waiting for the database")
      said = failure.message
      await pause(waitMs)
    }
  }
}
