import type { Broker } from "../types.ts"

/** Empty queues for one test, and any number of brokers that use them as separate processes would. */
export type BrokerFixture = {
  readonly open: () => Promise<Broker>
  /** The time after which an unsettled message of a dead consumer is delivered again. */
  readonly redeliveryMs: number
  readonly teardown: () => Promise<void>
}
export type BrokerSetup = () => Promise<BrokerFixture>
