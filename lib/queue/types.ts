import type { StageName } from "../domain/jobs/stages.ts"

/** A message to publish. `body` is JSON text. */
export type OutgoingMessage = { readonly stage: StageName; readonly body: string; readonly id: string }

/** A received message. `body` is not validated: it may be any text. */
export type Delivery = {
  readonly stage: StageName
  readonly body: string
  readonly id: string
  readonly redelivered: boolean
}

/** The decision of a handler: acknowledge the message, redeliver it later, or dead-letter it with a reason. */
export type Settlement = "ack" | { readonly retryInMs: number } | { readonly deadLetter: string }

export type DeliveryHandler = (delivery: Delivery) => Promise<Settlement>

export type ConsumeOptions = {
  /** The maximum number of deliveries in flight of this subscription. */
  readonly concurrency: number
}

export interface Subscription {
  /** Takes no more deliveries. Resolves when those in flight are settled or after `drainMs`. */
  stop(options: { drainMs: number }): Promise<void>
}

export type BrokerHealth = {
  readonly state: "ok" | "degraded" | "down"
  readonly detail?: string
  /** The time of the last publish, delivery or settlement, in Unix milliseconds. */
  readonly lastActivityAt?: number
}

/** The current state of the queue of one stage. */
export type QueueStats = {
  /** Messages that can be delivered now, without those in flight and those deferred. */
  readonly waiting: number
  /** Consumers in all processes. Omitted if the broker does not know its consumers. */
  readonly consumers?: number
  /** The time since which the oldest waiting message waits, in Unix milliseconds. Omitted if unknown. */
  readonly oldestAt?: number
}

/** A message that could not be processed, with the reason. */
export type DeadLetter = {
  readonly stage: StageName
  readonly id: string
  readonly body: string
  readonly reason: string
  /** Unix milliseconds. Omitted if the broker itself dead-lettered the message. */
  readonly deadAt?: number
}

/** Selects dead letters by stage and by ID. An omitted field selects all. */
export type DeadLetterChoice = { readonly stage?: StageName; readonly ids?: readonly string[] }

/** Delivers messages at least once, in no guaranteed order. The store's claims make duplicates harmless. */
export interface Broker {
  readonly kind: string
  /**
   * Resolves when every message is durable. Publishing an ID again is harmless.
   * @throws PublishError if the queues of some stages did not take theirs, AppError `unavailable` if the broker takes none
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  consume(stage: StageName, handler: DeliveryHandler, options: ConsumeOptions): Promise<Subscription>
  /**
   * Returns the number of waiting and in-flight messages by stage, without dead letters. A broker that does not know the
   * messages in flight of other processes counts those of this process.
   */
  depth(): Promise<Record<StageName, number>>
  stats(): Promise<Record<StageName, QueueStats>>
  /** Returns dead letters, oldest first within a stage, without removing them. */
  deadLetters(choice: DeadLetterChoice & { readonly limit: number }): Promise<DeadLetter[]>
  /** Moves dead letters back to their queues, durably, and returns their number. */
  requeueDeadLetters(choice: DeadLetterChoice): Promise<number>
  /** Deletes dead letters and returns their number. */
  dropDeadLetters(choice: DeadLetterChoice): Promise<number>
  health(): BrokerHealth
  close(options: { drainMs: number }): Promise<void>
}
