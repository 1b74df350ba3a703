import { setTimeout as pause } from "node:timers/promises"
import type { Channel, ConsumeMessage } from "amqplib"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { DeliveryHandler, Settlement } from "../types.ts"
import { withTimeout } from "./connection.ts"
import { retryDelayMs, toDelivery, toEnvelope } from "./delivery.ts"
import type { Publisher } from "./publisher.ts"
import { queueName, type Topology } from "./topology.ts"

/** The delay before a message returns to its queue if it could neither be deferred nor dead-lettered. */
const REQUEUE_DELAY_MS = 1_000
const CLOSE_TIMEOUT_MS = 1_000

/** A channel that consumes one stage. It is not reused after it ends. */
export type ConsumerChannel = {
  /** Resolves when the channel was closed or the broker cancelled the consumer. */
  readonly ended: Promise<void>
  readonly inFlightCount: () => number
  /** Raises the number of messages that the channel takes at a time. */
  grow(by: number): Promise<void>
  /** Takes no more messages and resolves when those in flight are settled. May be called again. */
  stop(): Promise<void>
  /** Closes the channel. Other consumers get the messages in flight. */
  close(): Promise<void>
}

export type ConsumerChannelOptions = {
  readonly stage: StageName
  readonly handler: DeliveryHandler
  readonly publish: Publisher["publish"]
  readonly report: (failure: unknown) => void
  readonly topology: Topology
  /** Called when a message is settled, on a closed channel too. */
  readonly onSettled: () => void
}

/** Declares the queues of a stage and opens a channel for it, which takes messages after `grow`. */
export const openConsumerChannel = async (
  channel: Channel,
  options: ConsumerChannelOptions,
): Promise<ConsumerChannel> => {
  const { stage, handler, publish, report, topology, onSettled } = options
  const inFlight = new Set<Promise<void>>()
  let stopping = false
  let open = true
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  channel.on("error", report)
  channel.on("close", () => {
    open = false
    end()
  })

  /** Runs `act` if the channel is open. The messages of a closed channel have gone to other consumers. */
  const ifOpen = (act: () => void): void => {
    try {
      if (open) act()
    } catch (failure) {
      report(failure)
    }
  }

  const settle = async (message: ConsumeMessage): Promise<void> => {
    const delivery = toDelivery(stage, message)
    let settlement: Settlement
    try {
      settlement = await handler(delivery)
    } catch (failure) {
      report(failure)
      settlement = { retryInMs: retryDelayMs(message) }
    }
    try {
      // Publishes the copy before the ack: a crash in between duplicates the message instead of losing it.
      if (settlement !== "ack") await publish([toEnvelope(delivery, message, settlement)])
      ifOpen(() => channel.ack(message))
    } catch (failure) {
      report(failure)
      await pause(REQUEUE_DELAY_MS)
      ifOpen(() => channel.nack(message, false, true))
    }
  }

  const take = (message: ConsumeMessage | null): void => {
    if (message === null) {
      // The queue was deleted, and its binding with it.
      topology.forget(stage)
      end()
    } else if (stopping) ifOpen(() => channel.nack(message, false, true))
    else {
      const work = settle(message).finally(() => {
        inFlight.delete(work)
        onSettled()
      })
      inFlight.add(work)
    }
  }

  await topology.declare(channel, stage)
  const consumers: string[] = []
  let cancelled: Promise<unknown> | null = null

  return {
    ended,
    inFlightCount: () => inFlight.size,
    grow: async (by) => {
      // The limit is per consumer, because quorum queues reject one per channel. It applies to the consumers that follow.
      await channel.prefetch(by)
      consumers.push((await channel.consume(queueName(stage), take)).consumerTag)
    },
    stop: async () => {
      stopping = true
      // A closed channel has no consumer.
      if (open) cancelled ??= Promise.all(consumers.map((tag) => channel.cancel(tag))).catch(() => undefined)
      await cancelled
      await Promise.all(inFlight)
    },
    close: async () => {
      stopping = true
      if (!open) return
      await withTimeout(
        channel.close(),
        CLOSE_TIMEOUT_MS,
        () => new Error("The broker did not confirm the close."),
      ).catch(() => undefined)
    },
  }
}
