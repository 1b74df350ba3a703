import type { Channel } from "amqplib"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"

/**
 * What Earmark declares on a broker. The arguments of a queue can never be changed (a broker refuses another
 * declaration with 406), so they are few and constant, and the version is part of every name: a change is a new
 * version beside the old one. Limits of length, age or delivery are set by policies of the broker.
 *
 *     exchange earmark.v1 (direct)
 *       <stage>        → earmark.v1.<stage>        what is to be done
 *       <stage>.later  → earmark.v1.<stage>.later  put off: expires back into <stage>
 *       <stage>.dead   → earmark.v1.<stage>.dead   out of the way, with the reason in its headers
 */
export const EXCHANGE = "earmark.v1"

export const KINDS = ["", ".later", ".dead"] as const
export type QueueKind = (typeof KINDS)[number]

export const routingKey = (stage: StageName, kind: QueueKind = ""): string => `${stage}${kind}`
export const queueName = (stage: StageName, kind: QueueKind = ""): string => `${EXCHANGE}.${routingKey(stage, kind)}`

/** Where messages of this queue go that the broker itself removes: at their time-out, or at its delivery limit. */
const TARGET: Record<QueueKind, QueueKind | null> = { "": ".dead", ".later": "", ".dead": null }
/**
 * Looking at dead letters counts as delivering them, and RabbitMQ 4 drops a message after 20 deliveries by default;
 * 3.10 knows no "unlimited".
 */
const LOOKS = 1_000_000

const argumentsOf = (stage: StageName, kind: QueueKind): Record<string, unknown> => {
  const target = TARGET[kind]
  return {
    "x-queue-type": "quorum",
    ...(target === null
      ? { "x-delivery-limit": LOOKS }
      : { "x-dead-letter-exchange": EXCHANGE, "x-dead-letter-routing-key": routingKey(stage, target) }),
  }
}

export type QueueCounts = { readonly messageCount: number; readonly consumerCount: number }

export const declareExchange = async (channel: Channel): Promise<void> => {
  await channel.assertExchange(EXCHANGE, "direct", { durable: true })
}

/** Declares one queue with its binding to the exchange, which must be there; harmless when it is there. @returns what is ready in it, and who consumes */
export const declareQueue = async (channel: Channel, stage: StageName, kind: QueueKind): Promise<QueueCounts> => {
  const name = queueName(stage, kind)
  const counts = await channel.assertQueue(name, { durable: true, arguments: argumentsOf(stage, kind) })
  await channel.bindQueue(name, EXCHANGE, routingKey(stage, kind))
  return counts
}

/** Declares everything of these stages. The channel's requests are answered in order, so they are sent in one go. */
export const declareStages = async (channel: Channel, stages: readonly StageName[] = STAGE_NAMES): Promise<void> => {
  await declareExchange(channel)
  await Promise.all(stages.flatMap((stage) => KINDS.map((kind) => declareQueue(channel, stage, kind))))
}
