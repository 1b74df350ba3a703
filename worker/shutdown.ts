import { messageOf } from "../lib/domain/errors.ts"
import type { Logger } from "../lib/platform/logger.ts"

/** How long stages may go on after a signal; then they are aborted and go back to their queues. */
export const DRAIN_MS = 8_000
/** How long an aborted stage may take to end. */
export const ABORT_MS = 2_000

export type Step = { readonly name: string; readonly run: () => Promise<unknown> }

/**
 * Ends the process in order on SIGTERM, SIGINT, or when the supervisor is gone (its channel closes); a second signal
 * ends it at once. A step that fails does not keep the later ones from running.
 * @returns starts the same from inside, with an exit code
 */
export const setupGracefulShutdown = (log: Logger, steps: readonly Step[]): ((code: number) => Promise<void>) => {
  let ending: Promise<void> | null = null
  const end = async (code: number): Promise<void> => {
    for (const { name, run } of steps)
      try {
        await run()
      } catch (error) {
        log.error({ detail: messageOf(error) }, `${name} failed`)
      }
    log.info("worker ended")
    process.exit(code)
  }
  const begin = (code: number): Promise<void> => {
    ending ??= end(code)
    return ending
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1)
    log.info({ signal }, "worker ends")
    void begin(0)
  }
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal)
  process.once("disconnect", () => void begin(0))
  return begin
}
