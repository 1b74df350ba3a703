import type { StageName } from "../domain/jobs/stages.ts"

/** A message as handed to the broker: the queue it belongs to and its body, as JSON text. */
export type OutgoingMessage = { readonly stage: StageName; readonly body: string; readonly id: string }

/** A message as received. `body` is what came over the wire: it may be anything, the consumer validates it. */
export type Delivery = {
  readonly stage: StageName
  readonly body: string
  readonly id: string
  readonly redelivered: boolean
}

/** What a handler decides: done with it, see it again later, or out of the way with a reason. */
export type Settlement = "ack" | { readonly retryInMs: number } | { readonly deadLetter: string }

export type DeliveryHandler = (delivery: Delivery) => Promise<Settlement>

export type ConsumeOptions = {
  /** How many deliveries of this subscription may be in hand at once. */
  readonly concurrency: number
}

export interface Subscription {
  /** Takes no more deliveries and resolves when those in hand are settled or `drainMs` is over. */
  stop(options: { drainMs: number }): Promise<void>
}

export type BrokerHealth = {
  readonly state: "ok" | "degraded" | "down"
  readonly detail?: string
  /** Milliseconds since the epoch of the last publish, delivery or settlement. */
  readonly lastActivityAt?: number
}

/** The queue of one stage as the broker sees it now. */
export type QueueStats = {
  /** Messages that could be taken at once. Those in hand and those put off do not count. */
  readonly waiting: number
  /** Consumers over all processes; left out by a broker that does not know its consumers. */
  readonly consumers?: number
  /** Since when the oldest waiting message waits, in milliseconds since the epoch; left out when unknown. */
  readonly oldestAt?: number
}

/** A message that was put out of the way, with the reason. */
export type DeadLetter = {
  readonly stage: StageName
  readonly id: string
  readonly body: string
  readonly reason: string
  /** Milliseconds since the epoch; left out when the broker itself gave the message up. */
  readonly deadAt?: number
}

/** Which dead letters: of one stage or all, with these ids or any. */
export type DeadLetterChoice = { readonly stage?: StageName; readonly ids?: readonly string[] }

/** Delivers hints to look at a job; at least once, in no promised order. Correctness lives in the store's claims. */
export interface Broker {
  readonly kind: string
  /** Resolves only when every message is durable. Publishing an id again is harmless. */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  consume(stage: StageName, handler: DeliveryHandler, options: ConsumeOptions): Promise<Subscription>
  /**
   * Messages that wait or are in hand, by stage; dead letters do not count. A broker that keeps to itself what other
   * processes have in hand counts those of this process.
   */
  depth(): Promise<Record<StageName, number>>
  stats(): Promise<Record<StageName, QueueStats>>
  /** Dead letters, oldest first within a stage; looking leaves them where they are. */
  deadLetters(choice: DeadLetterChoice & { readonly limit: number }): Promise<DeadLetter[]>
  /** Puts dead letters back into their queues, each durably there before it leaves here. @returns how many */
  requeueDeadLetters(choice: DeadLetterChoice): Promise<number>
  health(): BrokerHealth
  close(options: { drainMs: number }): Promise<void>
}
