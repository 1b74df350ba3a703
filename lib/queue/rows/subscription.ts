import { setTimeout as wait } from "node:timers/promises"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { ConsumeOptions, DeliveryHandler, Settlement, Subscription } from "../types.ts"
import type { Queue, Receipt, Settled } from "./queue.ts"

export type SubscriptionOptions = {
  readonly pollMs: number
  /** How long a delivery stays hidden unless its holder extends it. */
  readonly visibilityMs: number
  /** Called after every access to the queue, with null or the error. */
  readonly report: (failure: unknown) => void
}

const POLL_AFTER_FAILURE_MS = 1000
/** The delay after a handler has thrown. It doubles with each delivery up to the limit. */
const BACKOFF_MS = 500
const BACKOFF_LIMIT_MS = 30_000

const backoff = (deliveries: number) => Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** Math.min(deliveries - 1, 10))

/**
 * Takes messages of one stage up to the concurrency limit and passes them to the handler. Handled messages are settled and new
 * ones taken in one transaction. `wake` polls immediately.
 */
export const subscribe = (
  queue: Queue,
  stage: StageName,
  handler: DeliveryHandler,
  { concurrency }: ConsumeOptions,
  { pollMs, visibilityMs, report }: SubscriptionOptions,
): Subscription & { wake(): void } => {
  const inFlight = new Set<Promise<void>>()
  const extendTimers = new Set<NodeJS.Timeout>()
  let settled: Settled[] = []
  let timer: NodeJS.Timeout | undefined
  let next: NodeJS.Immediate | undefined
  let looking: Promise<void> | undefined
  let again = false
  let stopped = false

  /** Reports errors instead of throwing them. A message that was not extended or settled is delivered again. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      report(null)
      return true
    } catch (failure) {
      report(failure)
      return false
    }
  }

  const deliver = async ({ delivery, receipt, deliveries }: Receipt) => {
    const extend = () => queue.extend(receipt, visibilityMs)
    const extendTimer = setInterval(() => void attempt(extend), visibilityMs / 3)
    extendTimers.add(extendTimer)
    let settlement: Settlement
    try {
      settlement = await handler(delivery)
    } catch (failure) {
      report(failure)
      settlement = { retryInMs: backoff(deliveries) }
    }
    clearInterval(extendTimer)
    extendTimers.delete(extendTimer)
    settled.push({ receipt, settlement })
  }

  const exchange = (): Promise<boolean> => {
    const done = settled
    settled = []
    let taken: Receipt[] = []
    const limit = () => (stopped ? 0 : concurrency - inFlight.size)
    const swap = async () => {
      taken = await queue.exchange({ stage, settled: done, limit, visibilityMs })
    }
    return attempt(swap).finally(() => {
      for (const message of taken) {
        const work = deliver(message).finally(() => {
          inFlight.delete(work)
          look()
        })
        inFlight.add(work)
      }
    })
  }

  const look = (): void => {
    clearTimeout(timer)
    clearImmediate(next)
    again = looking !== undefined
    if (looking) return
    looking = exchange().then((read) => {
      looking = undefined
      if (again) look()
      else if (!stopped) timer = setTimeout(look, read ? pollMs : POLL_AFTER_FAILURE_MS)
    })
  }

  const wake = () => {
    if (stopped) return
    clearImmediate(next)
    next = setImmediate(look)
  }

  wake()
  return {
    wake,
    stop: async ({ drainMs }) => {
      stopped = true
      clearTimeout(timer)
      clearImmediate(next)
      const late = new AbortController()
      // Includes messages taken at the last moment, and the last exchange, which settles them.
      const drained = async () => {
        while (looking || inFlight.size > 0) await Promise.all([looking, ...inFlight])
      }
      await Promise.race([drained(), wait(drainMs, undefined, { signal: late.signal }).catch(() => undefined)])
      late.abort()
      // Messages still in flight are no longer extended, so that other consumers get them.
      for (const extendTimer of extendTimers) clearInterval(extendTimer)
    },
  }
}
