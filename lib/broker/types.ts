import type { StageName } from "../contracts/stages.ts"

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

/** Delivers hints to look at a job; at least once, in no promised order. Correctness lives in the store's claims. */
export interface Broker {
  readonly kind: string
  /** Resolves only when every message is durable. Publishing an id again is harmless. */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  consume(stage: StageName, handler: DeliveryHandler, options: ConsumeOptions): Promise<Subscription>
  /** Messages that wait or are in hand, by stage; dead letters do not count. */
  depth(): Promise<Record<StageName, number>>
  health(): BrokerHealth
  close(options: { drainMs: number }): Promise<void>
}
