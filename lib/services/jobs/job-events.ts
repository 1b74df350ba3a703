import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"
import { createJobFeed, hasEnded, type JobFeed, type JobSubscription, takeSnapshot } from "./job-feed.ts"
import { getJob, type JobRef } from "./jobs.ts"

const POLL_INTERVAL_MS = 300
/** The number of event streams of one process. */
const MAX_STREAMS = 500

export type JobEvent = { readonly event: "progress" | "end"; readonly data: JobRecord }

const feeds = new WeakMap<Store, JobFeed>()

const feedOf = (deps: Deps): JobFeed => {
  const store = requireStore(deps)
  const existing = feeds.get(store)
  if (existing) return existing
  const read = (job_id: string) => getJob(deps, { job_id })
  const feed = createJobFeed({ read, pollIntervalMs: POLL_INTERVAL_MS, maxSubscriptions: MAX_STREAMS })
  feeds.set(store, feed)
  return feed
}

/**
 * Streams the events of a job: `progress` immediately and after every change, `end` once. Each event carries the whole
 * record, so a client that reconnects misses nothing. All streams of a job share one reader.
 * @throws AppError before the first event, so that the caller can still send an error status: `not_found`, or
 * `unavailable` if too many streams are open
 */
export const openJobEvents = async (
  deps: Deps,
  { job_id }: JobRef,
  signal: AbortSignal,
): Promise<AsyncGenerator<JobEvent>> => {
  const first = await getJob(deps, { job_id })
  const subscription = feedOf(deps).subscribe(job_id)
  // A stream whose client disconnects is not always read to its end.
  if (signal.aborted) subscription.close()
  else signal.addEventListener("abort", subscription.close, { once: true })
  return followJob(subscription, first)
}

async function* followJob(subscription: JobSubscription, first: JobRecord): AsyncGenerator<JobEvent> {
  try {
    let snapshot = takeSnapshot(first)
    for (;;) {
      yield { event: "progress", data: snapshot.job }
      if (hasEnded(snapshot.job)) return yield { event: "end", data: snapshot.job }
      const next = await subscription.next(snapshot)
      if (next === null) return
      snapshot = next
    }
  } finally {
    subscription.close()
  }
}
