import { and, asc, eq, gt, inArray, isNull, lte, min, or, sql } from "drizzle-orm"
import type { StageName } from "../../../domain/jobs/stages.ts"
import type { NamedLease, OutboxMessage } from "../ports/outbox.ts"
import { chunks } from "./chunks.ts"
import type { Context } from "./context.ts"
import { all, run } from "./steps.ts"

/** No wait between attempts is longer: what seems to wait longer was written before the clock was set back. */
export const FAR_MS = 600_000

export const dueOutbox = (c: Context, limit: number): Promise<OutboxMessage[]> =>
  c.read(({ db, at, t: { outbox } }) =>
    all(
      db
        .select({ id: outbox.id, stage: outbox.stage, body: outbox.body })
        .from(outbox)
        .where(and(isNull(outbox.publishedAt), or(lte(outbox.availableAt, at), gt(outbox.availableAt, at + FAR_MS))))
        .orderBy(asc(outbox.availableAt), asc(outbox.seq))
        .limit(limit),
    ),
  )

/**
 * Counts from the first message of a stage in this run of the job, which the sweep keeps: a stage that is put off again and
 * again waits all the same, and its later messages would hide for how long.
 */
export const queuedSince = async (c: Context): Promise<Partial<Record<StageName, number>>> => {
  const rows = await c.read(({ db, t: { jobStages, outbox } }) =>
    all(
      db
        .select({ stage: outbox.stage, since: min(outbox.availableAt) })
        .from(jobStages)
        .innerJoin(outbox, and(eq(outbox.jobId, jobStages.jobId), eq(outbox.stage, jobStages.stage)))
        .where(eq(jobStages.state, "queued"))
        .groupBy(outbox.stage),
    ),
  )
  return Object.fromEntries(rows.map(({ stage, since }) => [stage, since]))
}

export const markPublished = (c: Context, ids: readonly string[]): Promise<void> =>
  c.write([], function* ({ db, at, t: { outbox } }) {
    for (const part of chunks(ids))
      yield* run(db.update(outbox).set({ publishedAt: at }).where(inArray(outbox.id, part)))
  })

export const acquireLease = (
  c: Context,
  { name, owner, ttlMs }: NamedLease & { readonly ttlMs: number },
): Promise<boolean> =>
  c.write([], function* ({ db, at, t: { leases } }) {
    const set = { owner, until: at + ttlMs }
    const setWhere = sql`${leases.owner} = ${owner} or ${leases.until} <= ${at} or ${leases.until} > ${at + 10 * ttlMs}`
    const insert = db
      .insert(leases)
      .values({ name, ...set })
      .onConflictDoUpdate({ target: leases.name, set, setWhere })
    return (yield* run(insert)) > 0
  })

export const releaseLease = (c: Context, { name, owner }: NamedLease): Promise<void> =>
  c.write([], function* ({ db, t: { leases } }) {
    yield* run(db.delete(leases).where(and(eq(leases.name, name), eq(leases.owner, owner))))
  })
