import type { Channel } from "amqplib"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"

/**
 * The exchange and queues that Earmark declares. The arguments of a queue cannot be changed later (the broker rejects another
 * declaration with 406). They are therefore few, and every name contains a version, so that a change creates new queues.
 * Operators set limits of length, age or deliveries by policies of the broker.
 *
 *     exchange earmark.v1 (direct)
 *       <stage>        → earmark.v1.<stage>        messages to process
 *       <stage>.later  → earmark.v1.<stage>.later  deferred messages, which expire back into <stage>
 *       <stage>.dead   → earmark.v1.<stage>.dead   dead letters, with the reason in a header
 */
export const EXCHANGE = "earmark.v1"

export const KINDS = ["", ".later", ".dead"] as const
export type QueueKind = (typeof KINDS)[number]

export const routingKey = (stage: StageName, kind: QueueKind = ""): string => `${stage}${kind}`
export const queueName = (stage: StageName, kind: QueueKind = ""): string => `${EXCHANGE}.${routingKey(stage, kind)}`

/** The queue to which the broker moves expired messages and messages at its delivery limit. */
const TARGET: Record<QueueKind, QueueKind | null> = { "": ".dead", ".later": "", ".dead": null }
/**
 * Reading dead letters counts as delivering them. RabbitMQ 4 drops a message after 20 deliveries by default, and 3.10 has no
 * value for "unlimited".
 */
const MAX_DEAD_LETTER_READS = 1_000_000

const queueArguments = (stage: StageName, kind: QueueKind): Record<string, unknown> => {
  const target = TARGET[kind]
  return {
    "x-queue-type": "quorum",
    ...(target === null
      ? { "x-delivery-limit": MAX_DEAD_LETTER_READS }
      : { "x-dead-letter-exchange": EXCHANGE, "x-dead-letter-routing-key": routingKey(stage, target) }),
  }
}

export type QueueCounts = { readonly messageCount: number; readonly consumerCount: number }

export const declareExchange = async (channel: Channel): Promise<void> => {
  await channel.assertExchange(EXCHANGE, "direct", { durable: true })
}

/** Declares a queue and binds it to the exchange, which must exist. Returns the counts of ready messages and consumers. */
export const declareQueue = async (channel: Channel, stage: StageName, kind: QueueKind): Promise<QueueCounts> => {
  const name = queueName(stage, kind)
  const counts = await channel.assertQueue(name, { durable: true, arguments: queueArguments(stage, kind) })
  await channel.bindQueue(name, EXCHANGE, routingKey(stage, kind))
  return counts
}

/** Declares the exchange and all queues of the stages. */
export const declareStages = async (channel: Channel, stages: readonly StageName[] = STAGE_NAMES): Promise<void> => {
  await declareExchange(channel)
  await Promise.all(stages.flatMap((stage) => KINDS.map((kind) => declareQueue(channel, stage, kind))))
}
