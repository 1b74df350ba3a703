import type { DatabaseHandle } from "../../db/open.ts"

/** What every operation of this store works with. */
export type Context = {
  readonly handle: DatabaseHandle
  /** Milliseconds since the epoch, by the clock of this process. */
  readonly now: () => number
}
