import { AppError } from "../../domain/errors.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Deps } from "../deps.ts"
import { getJob, type JobRef } from "./jobs.ts"

const POLL_INTERVAL_MS = 300

export type JobEvent = { readonly event: "progress" | "end"; readonly data: JobRecord }

/**
 * Streams the events of a job: `progress` immediately and after every change, `end` once. Each event carries the whole
 * record, so a client that reconnects misses nothing.
 * @throws AppError `not_found` before the first event, so that the caller can still send an error status
 */
export const openJobEvents = async (
  deps: Deps,
  { job_id }: JobRef,
  signal: AbortSignal,
): Promise<AsyncGenerator<JobEvent>> => pollJob(deps, await getJob(deps, { job_id }), signal)

async function* pollJob(deps: Deps, first: JobRecord, signal: AbortSignal): AsyncGenerator<JobEvent> {
  let sent = ""
  for (let job = first; !signal.aborted; ) {
    const text = JSON.stringify(job)
    if (text !== sent) yield { event: "progress", data: job }
    sent = text
    if (hasEnded(job)) return yield { event: "end", data: job }
    await sleepUntilAborted(signal)
    try {
      job = await getJob(deps, first)
    } catch (error) {
      // Poll again if the store is unavailable for a moment. Stop if the job has been deleted.
      if (!AppError.is(error) || error.code !== "unavailable") return
    }
  }
}

const hasEnded = (job: JobRecord): boolean => ["done", "error", "cancelled"].includes(job.status)

const sleepUntilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, POLL_INTERVAL_MS)
    signal.addEventListener("abort", finish)
  })
