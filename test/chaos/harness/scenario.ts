import type { Postgres } from "../../fixtures/postgres.ts"
import type { RabbitMq } from "../../fixtures/rabbitmq.ts"

/** The servers of a scenario: where jobs are stored, and where their messages wait. */
export type Setup = { readonly store: "sqlite" | "postgres"; readonly broker: "embedded" | "rabbitmq" }

export type Server = "rabbitmq" | "postgres"

export const SQLITE: Setup = { store: "sqlite", broker: "embedded" }
export const POSTGRES: Setup = { store: "postgres", broker: "embedded" }
export const SQLITE_RABBITMQ: Setup = { store: "sqlite", broker: "rabbitmq" }
export const POSTGRES_RABBITMQ: Setup = { store: "postgres", broker: "rabbitmq" }
/** Both stores, each with its own queue. */
export const EMBEDDED: readonly Setup[] = [SQLITE, POSTGRES]
export const RABBITMQ: readonly Setup[] = [SQLITE_RABBITMQ, POSTGRES_RABBITMQ]
export const ALL: readonly Setup[] = [...EMBEDDED, ...RABBITMQ]

/** Returns the names of store and broker. */
export const namesOf = ({ store, broker }: Setup): readonly [string, string] => [
  store === "sqlite" ? "SQLite" : "PostgreSQL",
  broker === "embedded" ? "embedded" : "RabbitMQ",
]

export type ScenarioContext = {
  readonly setup: Setup
  /** Null with an embedded queue, and if the scenario starts it itself. */
  readonly rabbit: RabbitMq | null
  /** Null unless the store is PostgreSQL. */
  readonly postgres: Postgres | null
  /** Returns the full number, or the smaller one in the short form. */
  size(full: number, short: number): number
  readonly isShort: boolean
  /** Returns the number that the command line gives, as in `--files 500`, or the default. */
  option(name: string, byDefault: number): number
  /** The endpoints that the command line names, as in `--endpoints '/clips,post /query'`; all if it names none. */
  readonly endpoints: readonly string[]
  /** Records a check. A failed one fails the scenario when it ends. */
  check(what: string, ok: boolean, seen?: unknown): void
}

export type Scenario = {
  /** R1 and higher for faults, W for workers without faults, H for several hosts. */
  readonly id: string
  /** What the scenario does, with the numbers of the full form. */
  readonly title: string
  readonly setups: readonly Setup[]
  /** The servers that the scenario starts itself, with other settings. */
  readonly startsItself?: readonly Server[]
  /** @returns the observed figures */
  readonly run: (c: ScenarioContext) => Promise<string>
}

export const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? 0

/** Counts equal values, for example `1: 980, 2: 20`. */
export const histogram = (values: readonly number[]): string =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((v) => `${v}: ${values.filter((w) => w === v).length}`)
    .join(", ")

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Describes times in milliseconds, for example `median 1.2 s, p95 3.0 s`. */
export const describeTimes = (ms: readonly number[]): string =>
  `median ${seconds(percentile(ms, 0.5))}, p95 ${seconds(percentile(ms, 0.95))}`
