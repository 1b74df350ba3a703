import type { Postgres } from "../../fixtures/postgres.ts"
import type { RabbitMq } from "../../fixtures/rabbitmq.ts"

/** `embedded`: store and queue in SQLite. `rabbitmq`: the store in SQLite. `postgres`: store and queue in PostgreSQL. */
export type BrokerName = "embedded" | "rabbitmq" | "postgres"

export type ScenarioContext = {
  readonly broker: BrokerName
  /** Null with the other queues. */
  readonly rabbit: RabbitMq | null
  /** Null unless the store is PostgreSQL. */
  readonly postgres: Postgres | null
  /** Returns the full number, or the smaller one in the short form. */
  size(full: number, short: number): number
  readonly isShort: boolean
  /** Returns the number that the command line gives, as in `--files 500`, or the default. */
  option(name: string, byDefault: number): number
  /** Records a check. A failed one fails the scenario when it ends. */
  check(what: string, ok: boolean, seen?: unknown): void
}

export type Scenario = {
  /** R1 to R37 for faults, W for workers without faults, H for several hosts. */
  readonly id: string
  /** What the scenario does, with the numbers of the full form. */
  readonly title: string
  readonly brokers: readonly BrokerName[]
  /** True if the scenario starts its own RabbitMQ. */
  readonly ownBroker?: boolean
  /** @returns the observed figures */
  readonly run: (c: ScenarioContext) => Promise<string>
}

export const BOTH: readonly BrokerName[] = ["embedded", "rabbitmq"]
export const EMBEDDED: readonly BrokerName[] = ["embedded"]
export const RABBITMQ: readonly BrokerName[] = ["rabbitmq"]
/** Both stores, each with its own queue. */
export const STORES: readonly BrokerName[] = ["embedded", "postgres"]
export const ALL: readonly BrokerName[] = ["embedded", "rabbitmq", "postgres"]

export const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? 0

/** Counts equal values, for example `1: 980, 2: 20`. */
export const histogram = (values: readonly number[]): string =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((v) => `${v}: ${values.filter((w) => w === v).length}`)
    .join(", ")
