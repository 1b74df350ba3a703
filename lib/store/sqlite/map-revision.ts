import { eq, sql } from "drizzle-orm"
import { counters } from "../../db/schema/index.ts"
import type { Tx } from "../../db/transact.ts"

const NAME = "map_revision"

export const readMapRevision = (tx: Tx): number =>
  tx.select().from(counters).where(eq(counters.name, NAME)).get()?.value ?? 0

/** In the transaction of the change itself: whoever sees the new number sees the change. */
export const raiseMapRevision = (tx: Tx): void =>
  void tx
    .insert(counters)
    .values({ name: NAME, value: 1 })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } })
    .run()
