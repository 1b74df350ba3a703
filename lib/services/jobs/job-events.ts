import { AppError } from "../../domain/errors.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Deps } from "../deps.ts"
import { getJob, type JobRef } from "./get-job.ts"

const POLL_MS = 300

export type JobEvent = { readonly event: "progress" | "end"; readonly data: JobRecord }

const hasEnded = (job: JobRecord): boolean => ["done", "error", "cancelled"].includes(job.status)

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, POLL_MS)
    signal.addEventListener("abort", finish)
  })

/**
 * Follows a job: `progress` with the whole record at once and at each change, `end` once with the last one. Whoever
 * comes back after a break starts anew and misses nothing, as each event carries the whole record.
 * @throws AppError `not_found` before the first event, so that an unknown job is an answer and not a stream
 */
export const openJobEvents = async (
  deps: Deps,
  { job_id }: JobRef,
  signal: AbortSignal,
): Promise<AsyncGenerator<JobEvent>> => {
  const first = await getJob(deps, { job_id })
  return follow(deps, first, signal)
}

async function* follow(deps: Deps, first: JobRecord, signal: AbortSignal): AsyncGenerator<JobEvent> {
  let told = ""
  for (let job = first; !signal.aborted; ) {
    const text = JSON.stringify(job)
    if (text !== told) yield { event: "progress", data: job }
    told = text
    if (hasEnded(job)) return yield { event: "end", data: job }
    await pause(signal)
    try {
      job = await getJob(deps, first)
    } catch (error) {
      // A store that is busy for a moment is no end; a job that was deleted meanwhile is one.
      if (!AppError.is(error) || error.code !== "unavailable") return
    }
  }
}
