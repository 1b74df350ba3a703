import type { LiveWord } from "../domain/jobs/live-words.ts"
import type { TimedWord } from "../domain/transcript/words.ts"

const BATCH_INTERVAL_MS = 1000

const roundToHundredths = (seconds: number): number => Math.round(seconds * 100) / 100

/**
 * Collects the words that a stage recognizes and sends them in batches, at most one a second. Words that come in the last
 * second of a stage are not sent, because its output follows.
 * @param send is never called concurrently. `batch` counts from 1.
 * @param failed gets the errors of `send`, because words that are not shown must not fail the stage. Their batch is dropped.
 */
export const batchLiveWords = (
  send: (batch: number, words: readonly LiveWord[]) => Promise<void>,
  failed: (error: unknown) => void,
) => {
  let pending: LiveWord[] = []
  let batch = 0
  let timer: NodeJS.Timeout | null = null
  let sending = Promise.resolve()
  let ended = false

  const flush = (): void => {
    timer = null
    if (pending.length === 0 || ended) return
    const words = pending
    pending = []
    sending = send(++batch, words).catch(failed)
    timer = setTimeout(() => void sending.then(flush), BATCH_INTERVAL_MS)
  }

  return {
    add(words: readonly TimedWord[]): void {
      if (ended) return
      for (const { word, start, end } of words)
        pending.push({ word, start: roundToHundredths(Math.max(0, start)), end: roundToHundredths(Math.max(0, end)) })
      // The first words appear at once.
      timer ??= setTimeout(flush, batch === 0 ? 0 : BATCH_INTERVAL_MS)
    },
    /** Drops the words that were not sent, and resolves when none are being sent. */
    async end(): Promise<void> {
      ended = true
      if (timer) clearTimeout(timer)
      await sending
    },
  }
}
