import { AppError } from "../../domain/errors.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"

/** The state of a job at one time. Two snapshots with equal texts are equal. */
export type JobSnapshot = { readonly job: JobRecord; readonly text: string }

export const takeSnapshot = (job: JobRecord): JobSnapshot => ({ job, text: JSON.stringify(job) })

export const hasEnded = (job: JobRecord): boolean => ["done", "error", "cancelled"].includes(job.status)

export type JobFeedOptions = {
  /** @throws AppError `unavailable` to try again; any other error ends the feed of the job */
  readonly read: (jobId: string) => Promise<JobRecord>
  readonly pollIntervalMs: number
  readonly maxSubscriptions: number
}

export type JobSubscription = {
  /** Waits for a snapshot other than the given one. Returns null once the job is gone or the subscription is closed. */
  next(previous: JobSnapshot): Promise<JobSnapshot | null>
  close(): void
}

type Watch = { latest: JobSnapshot | null; isOver: boolean; readonly subscribers: Set<() => void> }

/** Reads each watched job periodically and only once, however many subscribers it has. */
export type JobFeed = {
  /** @throws AppError `unavailable` if there are too many subscriptions */
  subscribe(jobId: string): JobSubscription
}

export const createJobFeed = ({ read, pollIntervalMs, maxSubscriptions }: JobFeedOptions): JobFeed => {
  const watches = new Map<string, Watch>()
  let subscriptions = 0

  const poll = async (jobId: string, watch: Watch): Promise<void> => {
    while (!watch.isOver) {
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
      if (watch.subscribers.size === 0) watch.isOver = true
      else
        try {
          watch.latest = takeSnapshot(await read(jobId))
          watch.isOver = hasEnded(watch.latest.job)
        } catch (error) {
          watch.isOver = !AppError.is(error) || error.code !== "unavailable"
        }
      if (watch.isOver) watches.delete(jobId)
      for (const wake of watch.subscribers) wake()
    }
  }
  const watchJob = (jobId: string): Watch => {
    const existing = watches.get(jobId)
    if (existing) return existing
    const watch: Watch = { latest: null, isOver: false, subscribers: new Set() }
    watches.set(jobId, watch)
    void poll(jobId, watch)
    return watch
  }

  return {
    subscribe: (jobId) => {
      if (subscriptions >= maxSubscriptions)
        throw new AppError(
          "unavailable",
          `${maxSubscriptions} event streams and waiting requests are open, the maximum. Close some, or poll GET /jobs/${jobId} instead.`,
          { retryInMs: 5000 },
        )
      subscriptions++
      const watch = watchJob(jobId)
      let isClosed = false
      let wake: () => void = () => undefined
      const onChange = () => wake()
      watch.subscribers.add(onChange)
      return {
        next: async (previous) => {
          for (;;) {
            if (isClosed) return null
            if (watch.latest !== null && watch.latest.text !== previous.text) return watch.latest
            if (watch.isOver) return null
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        },
        close: () => {
          if (isClosed) return
          isClosed = true
          subscriptions--
          watch.subscribers.delete(onChange)
          wake()
        },
      }
    },
  }
}
