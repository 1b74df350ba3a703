import { messageOf } from "../lib/domain/errors.ts"
import type { Logger } from "../lib/platform/logger.ts"

/** How long stages may continue after a signal. Then they are aborted and return to their queues. */
export const DRAIN_MS = 8_000
/** How long an aborted stage may take to stop. */
export const ABORT_MS = 2_000

export type ShutdownStep = { readonly name: string; readonly run: () => Promise<unknown> }

/**
 * Shuts down gracefully on SIGTERM, SIGINT or the loss of the supervisor's IPC channel. A second signal exits immediately.
 * Later steps run even if an earlier one fails.
 * @returns a function that starts the shutdown with an exit code
 */
export const setupGracefulShutdown = (
  log: Logger,
  steps: readonly ShutdownStep[],
): ((code: number) => Promise<void>) => {
  let ending: Promise<void> | null = null
  const end = async (code: number): Promise<void> => {
    for (const { name, run } of steps)
      try {
        await run()
      } catch (error) {
        log.error({ detail: messageOf(error) }, `${name} failed`)
      }
    log.info("worker stopped")
    process.exit(code)
  }
  const begin = (code: number): Promise<void> => {
    ending ??= end(code)
    return ending
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1)
    log.info({ signal }, "worker stopping")
    void begin(0)
  }
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal)
  process.once("disconnect", () => void begin(0))
  return begin
}
