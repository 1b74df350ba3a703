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

/** Returns the stage of a routing key. */
export const stageOfKey = (key: string): StageName => {
  const stage = STAGE_NAMES.find((name) => KINDS.some((kind) => routingKey(name, kind) === key))
  if (!stage) throw new Error(`no queue has the routing key '${key}'`)
  return stage
}

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

/** Declares a queue. Returns the counts of ready messages and consumers. A binding exists only after `Topology.declare`. */
export const declareQueue = (channel: Channel, stage: StageName, kind: QueueKind): Promise<QueueCounts> =>
  channel.assertQueue(queueName(stage, kind), { durable: true, arguments: queueArguments(stage, kind) })

/** Declares the exchange and the queues of a stage, and binds them unless this process has done so. */
export type Topology = {
  declare(channel: Channel, stage: StageName): Promise<void>
  /** Binds the queues of a stage again with the next `declare`, because one of them was deleted. */
  forget(stage: StageName): void
}

/**
 * Creates the topology of one process. Declaring what exists only reads on the broker, but a binding is written by a majority
 * of its nodes, so that it fails while a cluster has none.
 */
export const createTopology = (): Topology => {
  const bound = new Set<StageName>()
  return {
    declare: async (channel, stage) => {
      await declareExchange(channel)
      await Promise.all(KINDS.map((kind) => declareQueue(channel, stage, kind)))
      if (bound.has(stage)) return
      await Promise.all(
        KINDS.map((kind) => channel.bindQueue(queueName(stage, kind), EXCHANGE, routingKey(stage, kind))),
      )
      bound.add(stage)
    },
    forget: (stage) => void bound.delete(stage),
  }
}
