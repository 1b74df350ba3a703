import { setTimeout as wait } from "node:timers/promises"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { ConsumeOptions, DeliveryHandler, Settlement, Subscription } from "../types.ts"
import type { Queue, Receipt, Settled } from "./queue.ts"

export type SubscriptionOptions = {
  readonly pollMs: number
  /** How long a delivery stays hidden without a sign of life from its holder. */
  readonly visibilityMs: number
  /** Told of every attempt to work with the queue: null, or what went wrong. */
  readonly report: (failure: unknown) => void
}

/** Wait before looking again at a queue that could not be read. */
const POLL_AFTER_FAILURE_MS = 1000
/** A handler that throws gets its message again after this long, doubled with each delivery up to the limit. */
const BACKOFF_MS = 500
const BACKOFF_LIMIT_MS = 30_000

const backoff = (deliveries: number) => Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** Math.min(deliveries - 1, 10))

/**
 * Takes messages of one stage while there is room, and hands each to the handler. What handlers have done with is settled
 * as the next are taken, in one transaction. `wake` looks at once.
 */
export const subscribe = (
  queue: Queue,
  stage: StageName,
  handler: DeliveryHandler,
  { concurrency }: ConsumeOptions,
  { pollMs, visibilityMs, report }: SubscriptionOptions,
): Subscription & { wake(): void } => {
  const inHand = new Set<Promise<void>>()
  const keepers = new Set<NodeJS.Timeout>()
  let settled: Settled[] = []
  let timer: NodeJS.Timeout | undefined
  let next: NodeJS.Immediate | undefined
  let looking: Promise<void> | undefined
  let again = false
  let stopped = false

  /** What goes wrong here is made good by time: a message that was not extended or settled comes back. */
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
    const keeper = setInterval(() => void attempt(extend), visibilityMs / 3)
    keepers.add(keeper)
    let settlement: Settlement
    try {
      settlement = await handler(delivery)
    } catch (failure) {
      report(failure)
      settlement = { retryInMs: backoff(deliveries) }
    }
    clearInterval(keeper)
    keepers.delete(keeper)
    settled.push({ receipt, settlement })
  }

  const exchange = (): Promise<boolean> => {
    const done = settled
    settled = []
    let taken: Receipt[] = []
    const limit = () => (stopped ? 0 : concurrency - inHand.size)
    const swap = async () => {
      taken = await queue.exchange({ stage, settled: done, limit, visibilityMs })
    }
    return attempt(swap).finally(() => {
      for (const message of taken) {
        const work = deliver(message).finally(() => {
          inHand.delete(work)
          look()
        })
        inHand.add(work)
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
      // Taken in the last moment is in hand, too; and the last of all looks once more, to settle.
      const drained = async () => {
        while (looking || inHand.size > 0) await Promise.all([looking, ...inHand])
      }
      await Promise.race([drained(), wait(drainMs, undefined, { signal: late.signal }).catch(() => undefined)])
      late.abort()
      // Whatever is still in hand shows no more sign of life, so that others get it.
      for (const keeper of keepers) clearInterval(keeper)
    },
  }
}
