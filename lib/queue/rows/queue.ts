import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker, DeadLetter, Delivery, OutgoingMessage, Settlement } from "../types.ts"

/** A message in flight. Only the holder of its receipt can extend or settle it. */
export type Receipt = { readonly delivery: Delivery; readonly receipt: string; readonly deliveries: number }

export type Settled = { readonly receipt: string; readonly settlement: Settlement }
export type Exchange = {
  readonly stage: StageName
  readonly settled: readonly Settled[]
  /** Returns how many messages to take. Called when they are taken. */
  readonly limit: () => number
  /** How long taken messages stay hidden from other consumers unless they are extended. */
  readonly visibilityMs: number
}

/** The longest delay. A message with a longer one was written before the clock was set back, and is delivered now. */
export const MAX_DELAY_MS = 600_000

export const clampDelayMs = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), MAX_DELAY_MS)

/** Messages as rows of a database. Every function is one transaction. */
export type Queue = Pick<Broker, "depth" | "stats" | "deadLetters" | "requeueDeadLetters" | "dropDeadLetters"> & {
  /** Inserts all messages or none. Existing IDs are left unchanged. */
  insert(batch: readonly OutgoingMessage[]): Promise<void>
  /**
   * Settles messages and takes new ones, oldest first. A settlement with an outdated receipt has no effect, because another
   * consumer has the message.
   */
  exchange(p: Exchange): Promise<Receipt[]>
  extend(receipt: string, visibilityMs: number): Promise<void>
  /** Calls `wake` soon after inserts of other processes, and perhaps after other changes. Returns a function that unsubscribes. */
  watch(wake: () => void): () => void
  /** Throws if the database is unavailable. */
  ping(): void
}

export const mapStages = <T>(getValue: (stage: StageName) => T): Record<StageName, T> =>
  Object.fromEntries(STAGE_NAMES.map((stage) => [stage, getValue(stage)])) as Record<StageName, T>

type DeadRow = {
  readonly stage: StageName
  readonly id: string
  readonly body: string
  readonly deadReason: string | null
  readonly deadAt: number | null
}

/** Converts rows, oldest first, to dead letters in the order of the stages. */
export const toDeadLetters = (rows: readonly DeadRow[], limit: number): DeadLetter[] =>
  STAGE_NAMES.flatMap((stage) => rows.filter((row) => row.stage === stage))
    .slice(0, limit)
    .map(({ stage, id, body, deadReason, deadAt }) => ({ stage, id, body, reason: deadReason!, deadAt: deadAt! }))
