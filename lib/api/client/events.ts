import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { detailOf, EarmarkError } from "./errors.ts"
import { readEvents } from "./sse.ts"
import type { Transport } from "./transport.ts"

const RECONNECTS = 5
const PAUSE_MS = 1000

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener("abort", finish)
  })

/** A failure that another try may mend: no connection, or a service that is starting or behind a proxy that says so. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof EarmarkError) || error.status === 0 || error.status >= 502

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
  for (let barren = 0; !signal?.aborted; ) {
    let failure: unknown = new EarmarkError(0, "The service ends the stream of events without having sent one.")
    try {
      const response = await transport.send(`/jobs/${encodeURIComponent(jobId)}/events`, {
        headers: { accept: "text/event-stream" },
        signal,
      })
      if (!response.ok || !response.body)
        throw new EarmarkError(response.status, detailOf(response.status, await response.text()))
      for await (const { event, data } of readEvents(response.body)) {
        barren = 0
        yield transport.read("jobRecord", 200, data)
        if (event === "end") return
      }
    } catch (error) {
      if (signal?.aborted) return
      failure = error
    }
    if (!mayPass(failure) || ++barren > RECONNECTS) throw failure
    await pause(PAUSE_MS, signal)
  }
}
