import type { JobProgress } from "../domain/jobs/jobs.ts"
import type { StageName } from "../domain/jobs/stages.ts"

const EVERY_MS = 250

/**
 * Lets at most four reports a second through, always the newest, with the seconds left by the pace so far; none of a
 * stage that is over before the first would be read.
 * `send` is never called twice at once; what it throws is for `failed`, as progress must not cost a stage.
 */
export const throttleProgress = (
  stage: StageName,
  send: (progress: JobProgress) => Promise<void>,
  failed: (error: unknown) => void,
) => {
  /** The pace is that of the phase: fetching a model tells nothing about listening. */
  let startedAt = Date.now()
  let phase: JobProgress["phase"]
  let newest: JobProgress | null = null
  let timer: NodeJS.Timeout | null = null
  let sending = Promise.resolve()
  let ended = false

  const flush = (): void => {
    timer = null
    if (!newest || ended) return
    const progress = newest
    newest = null
    sending = send(progress).catch(failed)
    timer = setTimeout(() => void sending.then(flush), EVERY_MS)
  }

  return {
    report(done: number, total: number, now?: JobProgress["phase"]): void {
      if (now !== phase) startedAt = Date.now()
      phase = now
      const elapsed = (Date.now() - startedAt) / 1000
      const eta = done > 0 && done <= total ? { eta_s: Math.round((elapsed / done) * (total - done)) } : {}
      newest = { stage, done, total, ...eta, ...(phase && { phase }) }
      timer ??= setTimeout(flush, EVERY_MS)
    },
    /** Drops what has not been sent; resolves when nothing is on its way any more. */
    async end(): Promise<void> {
      ended = true
      if (timer) clearTimeout(timer)
      await sending
    },
  }
}
