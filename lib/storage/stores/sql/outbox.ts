import { and, asc, eq, gt, inArray, isNull, lte, min, notInArray, or, sql } from "drizzle-orm"
import type { StageName } from "../../../domain/jobs/stages.ts"
import type { NamedLease, OutboxMessage } from "../ports/outbox.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { all, inBatches, run } from "./statements.ts"

/**
 * The maximum delay of a message. A message that is due later was written before the clock was set back, and counts as
 * due.
 */
export const MAX_DELAY_MS = 600_000

const isDue = ({ now, tables: { outbox } }: Transaction) =>
  and(isNull(outbox.publishedAt), or(lte(outbox.availableAt, now), gt(outbox.availableAt, now + MAX_DELAY_MS)))

export const listDueMessages = (
  database: SqlDatabase,
  limit: number,
  { except = [] }: { readonly except?: readonly StageName[] } = {},
): Promise<OutboxMessage[]> =>
  database.read((tx) => {
    const { outbox } = tx.tables
    return all(
      tx.db
        .select({ id: outbox.id, stage: outbox.stage, body: outbox.body })
        .from(outbox)
        .where(and(isDue(tx), except.length > 0 ? notInArray(outbox.stage, [...except]) : undefined))
        .orderBy(asc(outbox.availableAt), asc(outbox.seq))
        .limit(limit),
    )
  })

export const getDueSince = async (database: SqlDatabase): Promise<Partial<Record<StageName, number>>> => {
  const rows = await database.read((tx) => {
    const { outbox } = tx.tables
    const since = min(outbox.availableAt)
    return all(tx.db.select({ stage: outbox.stage, since }).from(outbox).where(isDue(tx)).groupBy(outbox.stage))
  })
  return Object.fromEntries(rows.map(({ stage, since }) => [stage, since]))
}

export const markPublished = (database: SqlDatabase, ids: readonly string[]): Promise<void> =>
  database.write([], function* ({ db, now, tables: { outbox } }) {
    for (const batch of inBatches(ids))
      yield* run(db.update(outbox).set({ publishedAt: now }).where(inArray(outbox.id, batch)))
  })

export const acquireLease = (
  database: SqlDatabase,
  { name, owner, ttlMs }: NamedLease & { readonly ttlMs: number },
): Promise<boolean> =>
  database.write([], function* ({ db, now, tables: { leases } }) {
    const set = { owner, until: now + ttlMs }
    // A lease that ends far in the future was acquired before the clock was set back.
    const isFree = sql`${leases.owner} = ${owner} or ${leases.until} <= ${now} or ${leases.until} > ${now + 10 * ttlMs}`
    const insert = db
      .insert(leases)
      .values({ name, ...set })
      .onConflictDoUpdate({ target: leases.name, set, setWhere: isFree })
    return (yield* run(insert)) > 0
  })

export const releaseLease = (database: SqlDatabase, { name, owner }: NamedLease): Promise<void> =>
  database.write([], function* ({ db, tables: { leases } }) {
    yield* run(db.delete(leases).where(and(eq(leases.name, name), eq(leases.owner, owner))))
  })
