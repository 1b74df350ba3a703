import { eq, sql } from "drizzle-orm"
import type { Tx } from "./context.ts"
import { get, run, type Steps } from "./steps.ts"

const NAME = "map_revision"

export function* readMapRevision({ db, t: { counters } }: Tx): Steps<number> {
  return (yield* get(db.select().from(counters).where(eq(counters.name, NAME))))?.value ?? 0
}

/** In the transaction of the change itself: whoever sees the new number sees the change. */
export const raiseMapRevision = ({ db, t: { counters } }: Tx): Steps<number> =>
  run(
    db
      .insert(counters)
      .values({ name: NAME, value: 1 })
      .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } }),
  )
