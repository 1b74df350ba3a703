/** A critical call counts as having arrived this much earlier, so that a background call waits at most this long. */
const HEAD_START_MS = 60_000
/** For this time after the last critical call, calls of the next critical stage may still be on their way in the queue. */
const STAGE_GAP_MS = 250

/**
 * The priority of a call. `critical`: on the critical path of its job, and more critical calls follow. `final`: on the
 * critical path, in its last stage with many calls. `background`: not on the critical path.
 */
export type CallPriority = "critical" | "final" | "background"

export type LimiterRequest = {
  /** Maximum number of calls in flight, including this one and those of other callers. */
  readonly maxConcurrent: number
  readonly priority: CallPriority
  readonly signal: AbortSignal
}

/** Makes `call` once a slot is free, or rejects with the reason of the signal. */
export type PriorityLimiter = <T>(request: LimiterRequest, call: () => Promise<T>) => Promise<T>

type WaitingCall = {
  readonly maxConcurrent: number
  readonly priority: CallPriority
  /** Arrival time in milliseconds, less the head start of critical and final calls. */
  readonly key: number
  readonly start: () => void
}

/**
 * Limits the concurrent calls to a model server and orders them by priority (list scheduling by longest path, Graham
 * 1969). All calls of a process wait in one queue, sorted by arrival with a head start for the critical path. The first
 * starts as soon as fewer calls are in flight than it allows, and no call overtakes it.
 *
 * Background calls leave as many slots free as critical calls have recently used concurrently, because a slot is not
 * available to the next critical calls until its call ends.
 */
export const createPriorityLimiter = ({
  now = () => performance.now(),
}: {
  now?: () => number
} = {}): PriorityLimiter => {
  const queue: WaitingCall[] = []
  let inFlight = 0
  let backgroundInFlight = 0
  /** Critical calls that wait or are in flight, their maximum since there were none, and when the last one ended. */
  const critical = { count: 0, peak: 0, endedAt: Number.NEGATIVE_INFINITY }
  let isStartScheduled = false
  let timer: NodeJS.Timeout | undefined

  const start = (call: WaitingCall): void => {
    queue.splice(queue.indexOf(call), 1)
    inFlight++
    if (call.priority === "background") backgroundInFlight++
    call.start()
  }
  const mayUseAllSlots = (call: WaitingCall): boolean =>
    call.priority !== "background" || now() - call.key >= HEAD_START_MS
  const remainingGapMs = (): number => STAGE_GAP_MS - (now() - critical.endedAt)
  const backgroundLimit = (maxConcurrent: number): number => {
    if (critical.count > 0) return Math.max(1, maxConcurrent - critical.peak)
    return remainingGapMs() > 0 ? 1 : maxConcurrent
  }
  const startAll = (): void => {
    for (let first = queue[0]; first; first = queue[0]) {
      if (inFlight >= first.maxConcurrent) return
      if (!mayUseAllSlots(first) && backgroundInFlight >= backgroundLimit(first.maxConcurrent)) {
        clearTimeout(timer)
        if (critical.count === 0) timer = setTimeout(startAll, Math.max(1, remainingGapMs()))
        return
      }
      start(first)
    }
  }
  const startWaiting = (): void => {
    for (let first = queue[0]; first && mayUseAllSlots(first) && inFlight < first.maxConcurrent; first = queue[0])
      start(first)
    // The calls of a stage arrive one after the other. Background calls wait until all of them have arrived.
    if (queue.length === 0 || isStartScheduled) return
    isStartScheduled = true
    setImmediate(() => {
      isStartScheduled = false
      startAll()
    })
  }
  const onEnd = (priority: CallPriority): void => {
    if (priority === "critical" && --critical.count === 0) {
      critical.peak = 0
      critical.endedAt = now()
    }
    startWaiting()
  }
  const acquireSlot = ({ maxConcurrent, priority, signal }: LimiterRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const onAbort = () => {
        queue.splice(queue.indexOf(call), 1)
        reject(signal.reason)
        onEnd(priority)
      }
      const start = () => {
        signal.removeEventListener("abort", onAbort)
        resolve()
      }
      const key = now() - (priority === "background" ? 0 : HEAD_START_MS)
      const call: WaitingCall = { maxConcurrent, priority, key, start }
      signal.addEventListener("abort", onAbort, { once: true })
      if (priority === "critical") critical.peak = Math.max(critical.peak, ++critical.count)
      const index = queue.findIndex((other) => other.key > key)
      queue.splice(index < 0 ? queue.length : index, 0, call)
      startWaiting()
    })

  return async (request, call) => {
    await acquireSlot(request)
    try {
      return await call()
    } finally {
      inFlight--
      if (request.priority === "background") backgroundInFlight--
      onEnd(request.priority)
    }
  }
}
