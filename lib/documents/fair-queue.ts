import { AppError } from "../domain/errors.ts"

type Waiting = { readonly requester: object; readonly admit: () => void }

/** Admits a limited number of callers at a time. */
export type FairQueue = {
  /**
   * Waits for a free slot. Returns a function that releases it.
   * @param requester callers with the same one take turns with the others, whatever their number
   * @throws AppError `unavailable` if the requester gets no slot for too long; the reason of the signal if it aborts
   */
  enter(requester: object, signal?: AbortSignal): Promise<() => void>
}

export type FairQueueOptions = {
  readonly slots: number
  readonly waitMs: number
  /** The message of the error for a caller that got no slot. */
  readonly busyMessage: string
}

/**
 * Creates a queue. Requesters that hold no slot go first, in the order of arrival, so that a request with many files delays
 * others by at most one file per slot. A requester waits at most `waitMs` for its first slot, but any time for its own files.
 */
export const createFairQueue = ({ slots, waitMs, busyMessage }: FairQueueOptions): FairQueue => {
  const waiting: Waiting[] = []
  const holders: object[] = []

  const admitNext = (lastServed?: object): void => {
    if (holders.length >= slots || waiting.length === 0) return
    const unserved = waiting.findIndex((w) => w.requester !== lastServed && !holders.includes(w.requester))
    const [next] = waiting.splice(Math.max(0, unserved), 1)
    holders.push(next!.requester)
    next!.admit()
  }
  const createRelease = (requester: object) => (): void => {
    holders.splice(holders.indexOf(requester), 1)
    admitNext(requester)
  }

  return {
    enter: (requester, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        let waitedFrom = Date.now()
        const leave = (): void => {
          clearInterval(check)
          signal?.removeEventListener("abort", abort)
        }
        const giveUp = (error: unknown): void => {
          leave()
          waiting.splice(waiting.indexOf(entry), 1)
          reject(error)
        }
        const abort = (): void => giveUp(signal!.reason)
        const check = setInterval(() => {
          if (holders.includes(requester)) waitedFrom = Date.now()
          else if (Date.now() - waitedFrom >= waitMs)
            giveUp(new AppError("unavailable", busyMessage, { retry: "later", retryInMs: waitMs }))
        }, waitMs / 10)
        check.unref()
        signal?.addEventListener("abort", abort)
        const entry: Waiting = {
          requester,
          admit: () => {
            leave()
            resolve(createRelease(requester))
          },
        }
        waiting.push(entry)
        admitNext()
      }),
  }
}
