import { setTimeout as pause } from "node:timers/promises"
import type { Channel, ConsumeMessage } from "amqplib"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { DeliveryHandler, Settlement } from "../types.ts"
import { withTimeout } from "./connection.ts"
import { backoffOf, deliveryOf, envelopeOf } from "./delivery.ts"
import type { Publisher } from "./publisher.ts"
import { declareStages, queueName } from "./topology.ts"

/** Before a message goes back to its queue that could be neither put off nor put away. */
const AGAIN_MS = 1_000
const GOODBYE_MS = 1_000

/** One channel on which one stage is consumed, from its opening to its end. It is never used again. */
export type ConsumerChannel = {
  /** Resolves when no more deliveries come: the channel was closed, or the broker cancelled the consumer. */
  readonly over: Promise<void>
  readonly inHand: () => number
  /** Takes no more, and resolves when all in hand is settled. May be called again. */
  stop(): Promise<void>
  /** Closes the channel; what is still in hand goes to others. */
  close(): Promise<void>
}

export type LaneOptions = {
  readonly stage: StageName
  readonly concurrency: number
  readonly handler: DeliveryHandler
  readonly publish: Publisher["publish"]
  readonly report: (failure: unknown) => void
}

export const openLane = async (channel: Channel, options: LaneOptions): Promise<ConsumerChannel> => {
  const { stage, concurrency, handler, publish, report } = options
  const inHand = new Set<Promise<void>>()
  let stopping = false
  let open = true
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  channel.on("error", report)
  channel.on("close", () => {
    open = false
    end()
  })

  /** Only ever on the channel that delivered. One that is gone has already given the message to somebody else. */
  const answer = (act: () => void): void => {
    try {
      if (open) act()
    } catch (failure) {
      report(failure)
    }
  }

  const settle = async (message: ConsumeMessage): Promise<void> => {
    const delivery = deliveryOf(stage, message)
    let settlement: Settlement
    try {
      settlement = await handler(delivery)
    } catch (failure) {
      report(failure)
      settlement = { retryInMs: backoffOf(message) }
    }
    try {
      // First the copy, durably, then the ack: a crash between the two leaves both, never neither.
      if (settlement !== "ack") await publish([envelopeOf(delivery, message, settlement)])
      answer(() => channel.ack(message))
    } catch (failure) {
      report(failure)
      await pause(AGAIN_MS)
      answer(() => channel.nack(message, false, true))
    }
  }

  const take = (message: ConsumeMessage | null): void => {
    if (message === null) end()
    else if (stopping) answer(() => channel.nack(message, false, true))
    else {
      const work = settle(message).finally(() => inHand.delete(work))
      inHand.add(work)
    }
  }

  await declareStages(channel, [stage])
  // By consumer, not by channel: quorum queues refuse the latter.
  await channel.prefetch(concurrency)
  const { consumerTag } = await channel.consume(queueName(stage), take)
  let cancelled: Promise<unknown> | null = null

  return {
    over,
    inHand: () => inHand.size,
    stop: async () => {
      stopping = true
      // A channel that is closed meanwhile has no consumer either.
      if (open) cancelled ??= channel.cancel(consumerTag).catch(() => undefined)
      await cancelled
      await Promise.all(inHand)
    },
    close: async () => {
      stopping = true
      if (!open) return
      await withTimeout(channel.close(), GOODBYE_MS, () => new Error("no goodbye from the broker")).catch(
        () => undefined,
      )
    },
  }
}
