import { setTimeout as pause } from "node:timers/promises"
import type { Subscription } from "../types.ts"
import { type AmqpConnection, withTimeout } from "./connection.ts"
import { type ConsumerChannel, type ConsumerChannelOptions, openConsumerChannel } from "./consumer-channel.ts"

const CHANNEL_TIMEOUT_MS = 10_000
/** The delay before a channel is reopened. It doubles with every channel that fails quickly. */
const REOPEN_DELAY_MS = 200
const MAX_REOPEN_DELAY_MS = 5_000
/** A channel that was open for this long resets the delay. */
const STABLE_MS = 10_000

export type StageSubscription = Subscription & { inFlightCount(): number }

type Options = Omit<ConsumerChannelOptions, "onSettled"> & { readonly concurrency: number }

/**
 * Consumes one stage until stopped. The broker may close a channel (ack timeout of a long stage) or cancel a consumer (deleted
 * queue) on an open connection. A new channel is opened each time. The old one stays until its messages are settled, because
 * only the channel that delivered a message can acknowledge it. Until then the new one takes as many messages fewer.
 */
export const consumeWithReconnect = (connection: AmqpConnection, options: Options): StageSubscription => {
  const { report, concurrency } = options
  const channels = new Set<ConsumerChannel>()
  const ending = new AbortController()
  const { signal } = ending
  let current: { readonly consumer: ConsumerChannel; capacity: number } | null = null

  const retire = (consumer: ConsumerChannel): void => {
    current = null
    consumer.stop().then(async () => {
      await consumer.close()
      channels.delete(consumer)
    })
  }
  /** Gives the current channel the room that messages of older channels leave. */
  const grow = async (): Promise<void> => {
    if (current === null || signal.aborted) return
    const { consumer, capacity } = current
    const older = [...channels].filter((c) => c !== consumer).reduce((n, c) => n + c.inFlightCount(), 0)
    const room = concurrency - capacity - older
    if (room <= 0) return
    current.capacity += room
    await consumer.grow(room)
  }
  const growAfterSettlement = (): void => {
    // A channel that cannot grow has been closed, and the next one takes the room.
    grow().catch(() => undefined)
  }

  const openOne = async (): Promise<ConsumerChannel> => {
    const channel = await connection.channel(CHANNEL_TIMEOUT_MS)
    const open = async (): Promise<ConsumerChannel> => {
      const consumer = await openConsumerChannel(channel, { ...options, onSettled: growAfterSettlement })
      channels.add(consumer)
      current = { consumer, capacity: 0 }
      await grow()
      return consumer
    }
    try {
      return await withTimeout(
        open(),
        CHANNEL_TIMEOUT_MS,
        () => new Error(`The queue of stage ${options.stage} did not respond.`),
      )
    } catch (failure) {
      channel.close().catch(() => undefined)
      if (current !== null) retire(current.consumer)
      throw failure
    }
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const from = Date.now()
      try {
        const consumer = await openOne()
        report(null)
        if (!signal.aborted) await Promise.race([consumer.ended, stopped])
        retire(consumer)
      } catch (failure) {
        // Failures of the connection are reported by its own health.
        if (connection.health().state === "ok") report(failure)
      }
      failures = Date.now() - from > STABLE_MS ? 0 : failures + 1
      const ms = Math.min(MAX_REOPEN_DELAY_MS, REOPEN_DELAY_MS * 2 ** Math.min(failures, 10))
      await pause(ms, undefined, { signal }).catch(() => undefined)
    }
  }
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
  void run()

  return {
    inFlightCount: () => [...channels].reduce((n, consumer) => n + consumer.inFlightCount(), 0),
    stop: async ({ drainMs }) => {
      ending.abort()
      const open = [...channels]
      const drained = Promise.all(open.map((consumer) => consumer.stop()))
      await withTimeout(drained, drainMs, () => new Error("The consumer did not stop in time.")).catch(() => undefined)
      await Promise.all(open.map((consumer) => consumer.close()))
    },
  }
}
