import { messageOf } from "../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker, BrokerHealth } from "../types.ts"
import type { Queue } from "./queue.ts"
import { subscribe } from "./subscription.ts"

export type RowsBrokerOptions = {
  /** How often each subscription polls, for deferred messages and missed notifications. */
  readonly pollMs?: number
  /**
   * How long the message of a killed consumer stays hidden. Short, because the claim in the store makes a second delivery
   * harmless.
   */
  readonly visibilityMs?: number
  readonly now?: () => number
}

type StageSubscription = ReturnType<typeof subscribe> & { readonly stage: StageName }

/** Creates a durable broker on a table of the store's database. `close` does not close the database. */
export const createRowsBroker = (
  kind: string,
  queue: Queue,
  { pollMs = 500, visibilityMs = 10_000, now = Date.now }: RowsBrokerOptions = {},
): Broker => {
  const subscriptions = new Set<StageSubscription>()
  let lastActivityAt: number | undefined
  let failure: unknown = null

  const recordActivity = <T>(result: T): T => {
    lastActivityAt = now()
    return result
  }

  const wake = (stages: ReadonlySet<StageName>): void => {
    for (const subscription of subscriptions) if (stages.has(subscription.stage)) subscription.wake()
  }

  return {
    kind,

    publish: async (messages) => {
      await queue.insert(messages)
      recordActivity(null)
      wake(new Set(messages.map((m) => m.stage)))
    },

    consume: async (stage, handler, options) => {
      const report = (problem: unknown) => {
        failure = problem
      }
      const deliver: typeof handler = async (delivery) => recordActivity(await handler(recordActivity(delivery)))
      const { wake, stop } = subscribe(queue, stage, deliver, options, { pollMs, visibilityMs, report })
      const unwatch = queue.watch(wake)
      const subscription: StageSubscription = {
        stage,
        wake,
        stop: (drain) => {
          unwatch()
          subscriptions.delete(subscription)
          return stop(drain)
        },
      }
      subscriptions.add(subscription)
      return subscription
    },

    depth: () => queue.depth(),
    stats: () => queue.stats(),
    deadLetters: (choice) => queue.deadLetters(choice),
    requeueDeadLetters: async (choice) => {
      const requeued = await queue.requeueDeadLetters(choice)
      wake(new Set(STAGE_NAMES))
      return requeued
    },

    dropDeadLetters: (choice) => queue.dropDeadLetters(choice),

    health: (): BrokerHealth => {
      const activity = lastActivityAt === undefined ? {} : { lastActivityAt }
      try {
        queue.ping()
      } catch (error) {
        return { state: "down", detail: messageOf(error), ...activity }
      }
      return failure === null
        ? { state: "ok", ...activity }
        : { state: "degraded", detail: messageOf(failure), ...activity }
    },

    close: async (drain) => {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop(drain)))
    },
  }
}
