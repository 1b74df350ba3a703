import type { JobProgress } from "../domain/jobs/jobs.ts"
import type { StageName } from "../domain/jobs/stages.ts"

const REPORT_INTERVAL_MS = 250

/**
 * Sends at most four progress reports a second, always the newest, with an estimate of the remaining time. Reports nothing for
 * a stage that ends before the first interval.
 * @param send is never called concurrently
 * @param failed gets the errors of `send`, because a failed report must not fail the stage
 */
export const throttleProgress = (
  stage: StageName,
  send: (progress: JobProgress) => Promise<void>,
  failed: (error: unknown) => void,
) => {
  /** The start of the current phase. The speed of a model download says nothing about the speed of transcription. */
  let startedAt = performance.now()
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
    timer = setTimeout(() => void sending.then(flush), REPORT_INTERVAL_MS)
  }

  return {
    report(done: number, total: number, currentPhase?: JobProgress["phase"]): void {
      if (currentPhase !== phase) startedAt = performance.now()
      phase = currentPhase
      const elapsed = (performance.now() - startedAt) / 1000
      const eta = done > 0 && done <= total ? { eta_s: Math.round((elapsed / done) * (total - done)) } : {}
      newest = { stage, done, total, ...eta, ...(phase && { phase }) }
      timer ??= setTimeout(flush, REPORT_INTERVAL_MS)
    },
    /** Discards the pending report and resolves when no report is being sent. */
    async end(): Promise<void> {
      ended = true
      if (timer) clearTimeout(timer)
      await sending
    },
  }
}
