import type { RabbitMq } from "../../fixtures/rabbitmq.ts"

export type BrokerName = "embedded" | "rabbitmq"

export type ScenarioContext = {
  readonly broker: BrokerName
  /** The RabbitMQ of this run; null with the embedded queue. */
  readonly rabbit: RabbitMq | null
  /** The number of the scenario, or the smaller one of the short form. */
  size(full: number, short: number): number
  /** Notes whether something is as it must be; what is not fails the scenario when it is over. */
  check(what: string, ok: boolean, seen?: unknown): void
}

export type Scenario = {
  /** R1 to R29; W for what workers do without a fault; H on many hosts. */
  readonly id: string
  /** What is done, with its numbers. */
  readonly title: string
  readonly brokers: readonly BrokerName[]
  /** It starts its RabbitMQ itself, and gets none. */
  readonly ownBroker?: boolean
  /** @returns what was seen, with figures */
  readonly run: (c: ScenarioContext) => Promise<string>
}

export const BOTH: readonly BrokerName[] = ["embedded", "rabbitmq"]
export const EMBEDDED: readonly BrokerName[] = ["embedded"]
export const RABBITMQ: readonly BrokerName[] = ["rabbitmq"]

export const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? 0

/** How often each value comes: `1: 980, 2: 20`. */
export const histogram = (values: readonly number[]): string =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((v) => `${v}: ${values.filter((w) => w === v).length}`)
    .join(", ")
