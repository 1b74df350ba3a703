import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker, DeadLetter, Delivery, OutgoingMessage, Settlement } from "../types.ts"

/** A message in hand: only the holder of its receipt may extend or settle it. */
export type Receipt = { readonly delivery: Delivery; readonly receipt: string; readonly deliveries: number }

export type Settled = { readonly receipt: string; readonly settlement: Settlement }
export type Exchange = {
  readonly stage: StageName
  readonly settled: readonly Settled[]
  /** How many messages to take, asked when they are taken. */
  readonly limit: () => number
  /** How long they are hidden from others without a sign of life, in milliseconds. */
  readonly visibilityMs: number
}

/** Nothing is put off for longer: a message that seems to be was written before the clock was set back. */
export const MAX_DELAY_MS = 600_000

/** The wait that a handler asks for, as long as one may be. */
export const clampDelayMs = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), MAX_DELAY_MS)

/** Messages as rows of a database. Every function is one transaction. */
export type Queue = Pick<Broker, "depth" | "stats" | "deadLetters" | "requeueDeadLetters"> & {
  /** All or none; an id that waits, is in hand or is dead is left as it is. */
  insert(batch: readonly OutgoingMessage[]): Promise<void>
  /**
   * Settles what was in hand and takes messages, oldest first. A settlement whose receipt no longer holds is without
   * effect: somebody else has the message by now.
   */
  exchange(p: Exchange): Promise<Receipt[]>
  extend(receipt: string, visibilityMs: number): Promise<void>
  /** Calls `wake` when another process has inserted, where the database tells. @returns what ends it */
  watch(wake: () => void): () => void
  /** Throws when the database is known to be out of reach. */
  ping(): void
}

/** Something for every stage. */
export const byStage = <T>(of: (stage: StageName) => T): Record<StageName, T> =>
  Object.fromEntries(STAGE_NAMES.map((stage) => [stage, of(stage)])) as Record<StageName, T>

type DeadRow = {
  readonly stage: StageName
  readonly id: string
  readonly body: string
  readonly deadReason: string | null
  readonly deadAt: number | null
}

/** Dead letters in the order of the stages. `rows`: oldest first. */
export const deadByStage = (rows: readonly DeadRow[], limit: number): DeadLetter[] =>
  STAGE_NAMES.flatMap((stage) => rows.filter((row) => row.stage === stage))
    .slice(0, limit)
    .map(({ stage, id, body, deadReason, deadAt }) => ({ stage, id, body, reason: deadReason!, deadAt: deadAt! }))
