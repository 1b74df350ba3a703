import { sha256 } from "../../domain/ids.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"
import {
  createJobFeed,
  hasEnded,
  type JobFeed,
  type JobSnapshot,
  type JobSubscription,
  takeSnapshot,
} from "./job-feed.ts"
import { getJob, type JobRef } from "./jobs.ts"

const POLL_INTERVAL_MS = 300
/** The number of event streams and waiting requests of one process. */
const MAX_FOLLOWERS = 500

/** `id` identifies the state of the job, and for `end` that the stream has ended with it. */
export type JobEvent = { readonly id: string; readonly event: "progress" | "end"; readonly data: JobRecord }

const feeds = new WeakMap<Store, JobFeed>()

const feedOf = (deps: Deps): JobFeed => {
  const store = requireStore(deps)
  const existing = feeds.get(store)
  if (existing) return existing
  const read = (job_id: string) => getJob(deps, { job_id })
  const feed = createJobFeed({ read, pollIntervalMs: POLL_INTERVAL_MS, maxSubscriptions: MAX_FOLLOWERS })
  feeds.set(store, feed)
  return feed
}

/**
 * Returns a job when it has ended or after `wait` seconds, whichever is first.
 * @throws AppError `not_found`, or `unavailable` if too many callers wait
 */
export const waitForJob = async (
  deps: Deps,
  { job_id, wait }: JobRef & { readonly wait: number },
  signal: AbortSignal,
): Promise<JobRecord> => {
  const first = await getJob(deps, { job_id })
  if (wait === 0 || signal.aborted || hasEnded(first)) return first
  const subscription = feedOf(deps).subscribe(job_id)
  const timer = setTimeout(subscription.close, wait * 1000)
  signal.addEventListener("abort", subscription.close, { once: true })
  try {
    for (let seen = takeSnapshot(first); ; ) {
      const next = await subscription.next(seen)
      if (next === null) return getJob(deps, { job_id })
      if (hasEnded(next.job)) return next.job
      seen = next
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", subscription.close)
    subscription.close()
  }
}

const stateId = ({ text }: JobSnapshot): string => sha256(text).slice(0, 16)
const endId = (snapshot: JobSnapshot): string => `${stateId(snapshot)}.end`

/**
 * Streams the events of a job: `progress` immediately and after every change, `end` once. Each event carries the whole
 * record, so a client that reconnects misses nothing. All streams of a job share one reader.
 * @param lastId the ID of the last event that a reconnecting client received; its state is not sent again
 * @returns null if the client has received the end already
 * @throws AppError before the first event, so that the caller can still send an error status: `not_found`, or
 * `unavailable` if too many streams are open
 */
export const openJobEvents = async (
  deps: Deps,
  { job_id, lastId }: JobRef & { readonly lastId?: string | null },
  signal: AbortSignal,
): Promise<AsyncGenerator<JobEvent> | null> => {
  const first = takeSnapshot(await getJob(deps, { job_id }))
  if (lastId === endId(first)) return null
  const subscription = feedOf(deps).subscribe(job_id)
  // A stream whose client disconnects is not always read to its end.
  if (signal.aborted) subscription.close()
  else signal.addEventListener("abort", subscription.close, { once: true })
  return followJob(subscription, first, lastId)
}

async function* followJob(
  subscription: JobSubscription,
  first: JobSnapshot,
  lastId: string | null | undefined,
): AsyncGenerator<JobEvent> {
  try {
    for (let snapshot = first; ; ) {
      const id = stateId(snapshot)
      if (id !== lastId) yield { id, event: "progress", data: snapshot.job }
      if (hasEnded(snapshot.job)) return yield { id: endId(snapshot), event: "end", data: snapshot.job }
      const next = await subscription.next(snapshot)
      if (next === null) return
      snapshot = next
    }
  } finally {
    subscription.close()
  }
}
