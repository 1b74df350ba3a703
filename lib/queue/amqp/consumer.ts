import { setTimeout as pause } from "node:timers/promises"
import type { Subscription } from "../types.ts"
import { type Link, withTimeout } from "./connection.ts"
import { type ConsumerChannel, type LaneOptions, openLane } from "./consumer-channel.ts"

const CHANNEL_MS = 10_000
/** Pause before a lane is opened anew, doubled with every lane that fails at once. */
const REOPEN_MS = 200
const REOPEN_LIMIT_MS = 5_000
/** A lane that lived so long is not what the pause is for. */
const LIVED_MS = 10_000

export type StageSubscription = Subscription & { inHand(): number }

/**
 * Consumes one stage for as long as it is wanted: the broker may close a channel (a long stage's ack time-out) or cancel
 * a consumer (its queue was deleted) on a connection that lives on, and another lane is opened each time. A lane that was
 * cancelled stays until what it has in hand is settled, because only the channel that delivered can ack.
 */
export const consumeWithReconnect = (link: Link, options: LaneOptions): StageSubscription => {
  const { report } = options
  const lanes = new Set<ConsumerChannel>()
  const ending = new AbortController()
  const { signal } = ending

  const retire = (lane: ConsumerChannel): void => {
    lane.stop().then(async () => {
      await lane.close()
      lanes.delete(lane)
    })
  }

  const openOne = async (): Promise<ConsumerChannel> => {
    const channel = await link.channel(CHANNEL_MS)
    try {
      return await withTimeout(
        openLane(channel, options),
        CHANNEL_MS,
        () => new Error(`the queue of ${options.stage} does not answer`),
      )
    } catch (failure) {
      channel.close().catch(() => undefined)
      throw failure
    }
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const from = Date.now()
      try {
        const lane = await openOne()
        lanes.add(lane)
        report(null)
        if (!signal.aborted) await Promise.race([lane.over, stopped])
        retire(lane)
      } catch (failure) {
        // A connection that is down tells its own story.
        if (link.health().state === "ok") report(failure)
      }
      failures = Date.now() - from > LIVED_MS ? 0 : failures + 1
      const ms = Math.min(REOPEN_LIMIT_MS, REOPEN_MS * 2 ** Math.min(failures, 10))
      await pause(ms, undefined, { signal }).catch(() => undefined)
    }
  }
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
  void run()

  return {
    inHand: () => [...lanes].reduce((n, lane) => n + lane.inHand(), 0),
    stop: async ({ drainMs }) => {
      ending.abort()
      const open = [...lanes]
      const drained = Promise.all(open.map((lane) => lane.stop()))
      await withTimeout(drained, drainMs, () => new Error("time is up")).catch(() => undefined)
      await Promise.all(open.map((lane) => lane.close()))
    },
  }
}
