import { and, asc, count, eq, isNull } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import type { DeliveriesQuery, WebhookPatch } from "../../../../domain/webhooks.ts"
import type { DeliveryPage, NewWebhook, StoredDelivery, StoredWebhook } from "../../ports/webhooks.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { isAfter, newestFirst, orderBy, splitPage } from "../pagination.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { RETRY_FOR_MS } from "./events.ts"

/** Each event is compared with all webhooks of the installation. */
const MAX_WEBHOOKS = 100
export const WEBHOOKS_LOCK = "webhooks"
const DISABLED_BY_USER = "Disabled by a request."

const webhookColumns = ({ tables: { webhooks: w } }: Transaction) => ({
  id: w.id,
  url: w.url,
  events: w.events,
  description: w.description,
  jobId: w.jobId,
  createdAt: w.createdAt,
  lastSuccessAt: w.lastSuccessAt,
  disabledAt: w.disabledAt,
  disabledReason: w.disabledReason,
})

const deliveryColumns = ({ tables: { webhookDeliveries: d } }: Transaction) => ({
  id: d.id,
  webhookId: d.webhookId,
  type: d.type,
  clipId: d.clipId,
  payload: d.payload,
  state: d.state,
  attempts: d.attempts,
  createdAt: d.createdAt,
  nextAttemptAt: d.nextAttemptAt,
  endedAt: d.endedAt,
  responseStatus: d.responseStatus,
  error: d.error,
})

const readWebhook = (tx: Transaction, id: string): Operation<StoredWebhook | undefined> =>
  get(tx.db.select(webhookColumns(tx)).from(tx.tables.webhooks).where(eq(tx.tables.webhooks.id, id)))

/** Inserts a webhook in the transaction of the caller. `jobId` makes it one of a job. */
export const insertWebhook = (tx: Transaction, webhook: NewWebhook, jobId: string | null): Operation<number> =>
  run(tx.db.insert(tx.tables.webhooks).values({ ...webhook, jobId, createdAt: tx.now }))

export const createWebhook = (database: SqlDatabase, webhook: NewWebhook): Promise<StoredWebhook> =>
  database.write([WEBHOOKS_LOCK], function* (tx) {
    const { webhooks } = tx.tables
    const stored = yield* get(tx.db.select({ n: count() }).from(webhooks).where(isNull(webhooks.jobId)))
    if (stored!.n >= MAX_WEBHOOKS)
      throw new AppError("conflict", `There are ${stored!.n} webhooks, the maximum. Delete those that are not needed.`)
    yield* insertWebhook(tx, webhook, null)
    return (yield* readWebhook(tx, webhook.id))!
  })

export const listWebhooks = (
  database: SqlDatabase,
  { jobId }: { readonly jobId?: string | undefined },
): Promise<StoredWebhook[]> =>
  database.read((tx) => {
    const { webhooks } = tx.tables
    return all(
      tx.db
        .select(webhookColumns(tx))
        .from(webhooks)
        .where(jobId === undefined ? isNull(webhooks.jobId) : eq(webhooks.jobId, jobId))
        .orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
    )
  })

export const getWebhook = async (database: SqlDatabase, id: string): Promise<StoredWebhook | null> =>
  (await database.read((tx) => readWebhook(tx, id))) ?? null

/** Disables a webhook and gives up its pending deliveries. */
export function* disableWebhook(tx: Transaction, id: string, reason: string): Operation<void> {
  const { webhooks, webhookDeliveries } = tx.tables
  yield* run(
    tx.db
      .update(webhooks)
      .set({ disabledAt: tx.now, disabledReason: reason })
      .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt))),
  )
  const end = { state: "failed" as const, endedAt: tx.now, owner: null, leaseUntil: null }
  const isPending = and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.state, "pending"))
  yield* run(
    tx.db
      .update(webhookDeliveries)
      .set({ ...end, error: `Not sent, because the webhook was disabled. ${reason}` })
      .where(isPending),
  )
}

export const updateWebhook = (
  database: SqlDatabase,
  id: string,
  { enabled, ...changes }: WebhookPatch,
): Promise<StoredWebhook | null> =>
  database.write([WEBHOOKS_LOCK], function* (tx) {
    const { webhooks } = tx.tables
    if (!(yield* readWebhook(tx, id))) return null
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const set = { ...given, ...(enabled && { disabledAt: null, disabledReason: null }) }
    if (Object.keys(set).length > 0) yield* run(tx.db.update(webhooks).set(set).where(eq(webhooks.id, id)))
    if (enabled === false) yield* disableWebhook(tx, id, DISABLED_BY_USER)
    return (yield* readWebhook(tx, id))!
  })

export const deleteWebhook = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([WEBHOOKS_LOCK], function* ({ db, tables: { webhooks } }) {
    return (yield* run(db.delete(webhooks).where(eq(webhooks.id, id)))) > 0
  })

export const listDeliveries = (
  database: SqlDatabase,
  webhookId: string,
  { state, limit, cursor }: DeliveriesQuery,
): Promise<DeliveryPage | null> =>
  database.read(function* (tx) {
    const { webhookDeliveries: d } = tx.tables
    const order = newestFirst(d)
    if (!(yield* readWebhook(tx, webhookId))) return null
    const rows = yield* all(
      tx.db
        .select(deliveryColumns(tx))
        .from(d)
        .where(and(eq(d.webhookId, webhookId), state && eq(d.state, state), isAfter(cursor, order)))
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const { page, next } = splitPage(
      rows.map((row) => ({ ...row, value: row.createdAt })),
      limit,
      order,
    )
    return { deliveries: page.map(({ value: _, ...delivery }) => delivery), ...next }
  })

export const redeliver = (database: SqlDatabase, webhookId: string, id: string): Promise<StoredDelivery | null> =>
  database.write([WEBHOOKS_LOCK], function* (tx) {
    const { webhookDeliveries: d } = tx.tables
    const webhook = yield* readWebhook(tx, webhookId)
    const isChosen = and(eq(d.webhookId, webhookId), eq(d.id, id))
    const delivery = yield* get(tx.db.select(deliveryColumns(tx)).from(d).where(isChosen))
    if (!webhook || !delivery) return null
    if (webhook.disabledAt !== null)
      throw new AppError("conflict", `webhook '${webhookId}' is disabled. Enable it first: PATCH {"enabled": true}.`)
    const { now } = tx
    const start = { nextAttemptAt: now, retryUntil: now + RETRY_FOR_MS, attempts: 0, owner: null, leaseUntil: null }
    yield* run(
      tx.db
        .update(d)
        .set({ state: "pending", endedAt: null, ...start })
        .where(isChosen),
    )
    return (yield* get(tx.db.select(deliveryColumns(tx)).from(d).where(isChosen)))!
  })
