import { type JobRecord, jobRecord } from "../contracts/jobs.ts"
import { detailOf, EarmarkError } from "./errors.ts"
import { readEvents } from "./sse.ts"
import { readAnswer, type Transport } from "./transport.ts"

const RECONNECTS = 5
const PAUSE_MS = 1000

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * The states of a job until it ends; the last one yielded is its end. A lost connection is taken up again: every event
 * carries the whole record, so nothing is missed. Ends quietly when `signal` aborts.
 * @throws EarmarkError for an unknown job, or when the service stays out of reach.
 */
export async function* jobEvents(
  transport: Transport,
  jobId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobRecord> {
  for (let failures = 0; !signal?.aborted; ) {
    try {
      const response = await transport.send(`/jobs/${encodeURIComponent(jobId)}/events`, {
        headers: { accept: "text/event-stream" },
        signal,
      })
      if (!response.ok || !response.body)
        throw new EarmarkError(response.status, detailOf(response.status, await response.text()))
      for await (const { event, data } of readEvents(response.body)) {
        failures = 0
        yield readAnswer(jobRecord, 200, data)
        if (event === "end") return
      }
    } catch (error) {
      if (signal?.aborted) return
      const lost = !(error instanceof EarmarkError) || error.status === 0 || error.status >= 502
      if (!lost || ++failures > RECONNECTS) throw error
    }
    await pause(PAUSE_MS, signal)
  }
}
