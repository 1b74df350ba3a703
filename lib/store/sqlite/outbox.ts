import { and, asc, eq, gt, inArray, isNull, lte, min, or, sql } from "drizzle-orm"
import type { StageName } from "../../contracts/stages.ts"
import { jobStages, leases, outbox } from "../../db/schema/index.ts"
import { withRead, withWrite } from "../../db/transact.ts"
import type { OutboxMessage, Store } from "../types.ts"
import { chunks } from "./chunks.ts"
import type { Context } from "./context.ts"

/** No wait between attempts is so long: what seems to wait longer was written before the clock was set back. */
const FAR_MS = 600_000

export const dueOutbox = ({ handle, now }: Context, limit: number): OutboxMessage[] => {
  const at = now()
  return withRead(handle, (tx) =>
    tx
      .select({ id: outbox.id, stage: outbox.stage, body: outbox.body })
      .from(outbox)
      .where(and(isNull(outbox.publishedAt), or(lte(outbox.availableAt, at), gt(outbox.availableAt, at + FAR_MS))))
      .orderBy(asc(outbox.availableAt), asc(outbox.seq))
      .limit(limit)
      .all(),
  )
}

export const queuedSince = ({ handle, now }: Context): Partial<Record<StageName, number>> => {
  const rows = withRead(handle, (tx) =>
    tx
      .select({ stage: outbox.stage, since: min(outbox.availableAt) })
      .from(jobStages)
      .innerJoin(
        outbox,
        eq(outbox.id, sql`${jobStages.jobId} || ':' || ${jobStages.stage} || ':' || ${jobStages.messages}`),
      )
      .where(and(eq(jobStages.state, "queued"), lte(outbox.availableAt, now())))
      .groupBy(outbox.stage)
      .all(),
  )
  return Object.fromEntries(rows.map(({ stage, since }) => [stage, since]))
}

export const markPublished = ({ handle, now }: Context, ids: readonly string[]): void =>
  withWrite(handle, (tx) => {
    for (const part of chunks(ids)) tx.update(outbox).set({ publishedAt: now() }).where(inArray(outbox.id, part)).run()
  })

export const acquireLease = (
  { handle, now }: Context,
  { name, owner, ttlMs }: Parameters<Store["acquireLease"]>[0],
): boolean =>
  withWrite(handle, (tx) => {
    const at = now()
    const set = { owner, until: at + ttlMs }
    const { changes } = tx
      .insert(leases)
      .values({ name, ...set })
      .onConflictDoUpdate({
        target: leases.name,
        set,
        setWhere: sql`${leases.owner} = ${owner} or ${leases.until} <= ${at} or ${leases.until} > ${at + 10 * ttlMs}`,
      })
      .run()
    return changes > 0
  })

export const releaseLease = ({ handle }: Context, { name, owner }: Parameters<Store["releaseLease"]>[0]): void =>
  withWrite(handle, (tx) => {
    tx.delete(leases)
      .where(and(eq(leases.name, name), eq(leases.owner, owner)))
      .run()
  })
