import { and, asc, eq, gt, inArray, isNull, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm"
import type { DeliveryClaim, DeliveryOutcome } from "../../ports/webhooks.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, get, run } from "../statements.ts"
import { RETRY_FOR_MS } from "./events.ts"
import { disableWebhook, WEBHOOKS_LOCK } from "./webhooks.ts"

/** How many events a webhook is sent at the same time, so that a slow receiver does not delay the others. */
const MAX_CONCURRENT = 4
const MAX_CANDIDATES = 200
const DELETE_BATCH_SIZE = 1000

/** Selects the events that no worker sends and whose time has come. One in the far future was set before the clock was set back. */
const isDue = ({ now, tables: { webhookDeliveries: d } }: Transaction): SQL =>
  and(
    eq(d.state, "pending"),
    or(lte(d.nextAttemptAt, now), gt(d.nextAttemptAt, now + RETRY_FOR_MS)),
    or(isNull(d.leaseUntil), lte(d.leaseUntil, now), gt(d.leaseUntil, now + RETRY_FOR_MS)),
  )!

/** Selects the first pending event of each clip and webhook. */
const isNext = ({ tables: { webhookDeliveries: d } }: Transaction): SQL => sql`not exists (select 1 from ${d} as earlier
  where earlier.webhook_id = ${d.webhookId} and earlier.clip_id = ${d.clipId} and earlier.state = 'pending'
  and earlier.seq < ${d.seq})`

export const hasDueDelivery = async (database: SqlDatabase): Promise<boolean> => {
  const row = await database.read((tx) => {
    const { webhookDeliveries: d } = tx.tables
    return get(
      tx.db
        .select({ id: d.id })
        .from(d)
        .where(and(isDue(tx), isNext(tx)))
        .limit(1),
    )
  })
  return row !== undefined
}

export const claimDueDeliveries = (
  database: SqlDatabase,
  { owner, limit, leaseMs }: { readonly owner: string; readonly limit: number; readonly leaseMs: number },
): Promise<DeliveryClaim[]> =>
  database.write([WEBHOOKS_LOCK], function* (tx) {
    const { db, now } = tx
    const { webhookDeliveries: d, webhooks: w } = tx.tables
    const inFlight = yield* all(
      db
        .select({ webhookId: d.webhookId })
        .from(d)
        .where(and(eq(d.state, "pending"), gt(d.leaseUntil, now))),
    )
    const sending = new Map<string, number>()
    for (const { webhookId } of inFlight) sending.set(webhookId, (sending.get(webhookId) ?? 0) + 1)
    const busy = [...sending].filter(([, n]) => n >= MAX_CONCURRENT).map(([id]) => id)
    const candidates = yield* all(
      db
        .select({
          id: d.id,
          webhookId: d.webhookId,
          attempts: d.attempts,
          payload: d.payload,
          url: w.url,
          secret: w.secret,
        })
        .from(d)
        .innerJoin(w, eq(w.id, d.webhookId))
        .where(and(isDue(tx), isNext(tx), busy.length > 0 ? notInArray(d.webhookId, busy) : undefined))
        .orderBy(asc(d.nextAttemptAt), asc(d.seq))
        .limit(MAX_CANDIDATES),
    )
    const claims: DeliveryClaim[] = []
    for (const { attempts, ...row } of candidates) {
      const n = sending.get(row.webhookId) ?? 0
      if (claims.length === limit || n >= MAX_CONCURRENT) continue
      sending.set(row.webhookId, n + 1)
      claims.push({ ...row, owner, attempt: attempts + 1 })
    }
    for (const { id, attempt } of claims)
      yield* run(
        db
          .update(d)
          .set({ owner, attempts: attempt, leaseUntil: now + leaseMs })
          .where(eq(d.id, id)),
      )
    return claims
  })

const describeSilence = (since: number, error: string): string =>
  `No delivery has succeeded since ${new Date(since).toISOString()}. The last error: ${error}`

export const settleDelivery = (
  database: SqlDatabase,
  { id, webhookId, owner, attempt }: DeliveryClaim,
  outcome: DeliveryOutcome,
): Promise<boolean> =>
  database.write([WEBHOOKS_LOCK], function* (tx) {
    const { db, now } = tx
    const { webhookDeliveries: d, webhooks: w } = tx.tables
    const isHeld = and(eq(d.id, id), eq(d.owner, owner), eq(d.attempts, attempt), eq(d.state, "pending"))
    const row = yield* get(db.select({ retryUntil: d.retryUntil }).from(d).where(isHeld))
    if (!row) return false
    const free = { owner: null, leaseUntil: null, responseStatus: outcome.status }
    if (outcome.kind === "delivered") {
      yield* run(
        db
          .update(d)
          .set({ ...free, state: "delivered", endedAt: now, error: null })
          .where(isHeld),
      )
      yield* run(db.update(w).set({ lastSuccessAt: now }).where(eq(w.id, webhookId)))
      return true
    }
    const { error, retryInMs, isGone } = outcome
    const isOver = now + retryInMs > row.retryUntil
    const next = isOver || isGone ? ({ state: "failed", endedAt: now } as const) : { nextAttemptAt: now + retryInMs }
    yield* run(
      db
        .update(d)
        .set({ ...free, error, ...next })
        .where(isHeld),
    )
    if (!isOver && !isGone) return true
    const since = row.retryUntil - RETRY_FOR_MS
    const webhook = yield* get(db.select({ lastSuccessAt: w.lastSuccessAt }).from(w).where(eq(w.id, webhookId)))
    if (isGone) yield* disableWebhook(tx, webhookId, "The receiver answered 410 Gone.")
    else if ((webhook?.lastSuccessAt ?? 0) < since) yield* disableWebhook(tx, webhookId, describeSilence(since, error))
    return true
  })

export const deleteOldDeliveries = (database: SqlDatabase, olderThanMs: number): Promise<number> =>
  database.write([], function* ({ db, now, tables: { webhookDeliveries: d } }) {
    const old = db
      .select({ id: d.id })
      .from(d)
      .where(lt(d.endedAt, now - olderThanMs))
      .limit(DELETE_BATCH_SIZE)
    return yield* run(db.delete(d).where(inArray(d.id, old)))
  })
