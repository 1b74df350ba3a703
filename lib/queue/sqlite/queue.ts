import { and, asc, count, eq, gt, isNotNull, isNull, lte, min, or, sql } from "drizzle-orm"
import { newId } from "../../domain/ids.ts"
import type { StageName } from "../../domain/jobs/stages.ts"
import { toDatabaseError } from "../../storage/database/errors.ts"
import type { DatabaseHandle } from "../../storage/database/open.ts"
import { brokerMessages as messages } from "../../storage/database/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../storage/database/transact.ts"
import { clampDelayMs, MAX_DELAY_MS, mapStages, type Queue, type Receipt, toDeadLetters } from "../rows/queue.ts"
import type { DeadLetterChoice, Settlement } from "../types.ts"

/** Rows per statement. SQLite accepts at most 32 766 parameters. */
const BATCH_SIZE = 1000

type Taking = { stage: StageName; limit: number; at: number; until: number }

export const openQueue = (handle: DatabaseHandle, now: () => number): Queue => {
  const waiting = (stage: StageName, at: number) =>
    and(eq(messages.stage, stage), isNull(messages.deadAt), isVisible(at))
  const isVisible = (at: number) => or(lte(messages.visibleAt, at), gt(messages.visibleAt, at + MAX_DELAY_MS))
  const held = (receipt: string) => and(eq(messages.receipt, receipt), isNull(messages.deadAt))
  const dead = ({ stage, ids }: DeadLetterChoice) =>
    and(
      isNotNull(messages.deadAt),
      stage ? eq(messages.stage, stage) : undefined,
      // A single parameter for any number of IDs.
      ids ? sql`${messages.id} in (select value from json_each(${JSON.stringify(ids)}))` : undefined,
    )
  // Each subscription runs this after every change of the database. It is prepared once and takes no write lock.
  const look = handle.raw
    .prepare(
      "select 1 from broker_messages where stage = ? and dead_at is null and (visible_at <= ? or visible_at > ?) limit 1",
    )
    .pluck()
  const isDue = (stage: StageName, at: number): boolean => {
    try {
      return look.get(stage, at, at + MAX_DELAY_MS) !== undefined
    } catch (error) {
      throw toDatabaseError(error, handle.path)
    }
  }

  const settle = (tx: Tx, receipt: string, settlement: Settlement, at: number): void => {
    if (settlement === "ack") tx.delete(messages).where(held(receipt)).run()
    else if ("retryInMs" in settlement)
      tx.update(messages)
        .set({ receipt: null, visibleAt: at + clampDelayMs(settlement.retryInMs) })
        .where(held(receipt))
        .run()
    else
      tx.update(messages)
        .set({ receipt: null, deadAt: at, deadReason: settlement.deadLetter })
        .where(held(receipt))
        .run()
  }
  const take = (tx: Tx, { stage, limit, at, until }: Taking): Receipt[] => {
    const order = [asc(messages.visibleAt), asc(messages.seq)]
    const rows = tx
      .select()
      .from(messages)
      .where(waiting(stage, at))
      .orderBy(...order)
      .limit(limit)
      .all()
    return rows.map(({ seq, id, body, deliveries: before }) => {
      const [receipt, deliveries] = [newId(), before + 1]
      tx.update(messages).set({ receipt, deliveries, visibleAt: until }).where(eq(messages.seq, seq)).run()
      return { delivery: { stage, id, body, redelivered: before > 0 }, receipt, deliveries }
    })
  }

  return {
    insert: (batch) =>
      handle.enqueueWrite(() =>
        withWrite(handle, (tx) => {
          const visibleAt = now()
          for (let i = 0; i < batch.length; i += BATCH_SIZE)
            tx.insert(messages)
              .values(batch.slice(i, i + BATCH_SIZE).map(({ id, stage, body }) => ({ id, stage, body, visibleAt })))
              .onConflictDoNothing()
              .run()
        }),
      ),

    // Takes no write lock if there is nothing to settle and nothing to take.
    exchange: (p) =>
      handle.enqueueWrite(() => {
        const [limit, at] = [p.limit(), now()]
        const due = limit > 0 && isDue(p.stage, at)
        if (!due && p.settled.length === 0) return []
        return withWrite(handle, (tx) => {
          for (const { receipt, settlement } of p.settled) settle(tx, receipt, settlement, at)
          return due ? take(tx, { stage: p.stage, limit, at, until: at + p.visibilityMs }) : []
        })
      }),

    extend: (receipt, visibilityMs) =>
      handle.enqueueWrite(() =>
        withWrite(handle, (tx) => {
          tx.update(messages)
            .set({ visibleAt: now() + visibilityMs })
            .where(held(receipt))
            .run()
        }),
      ),

    depth: async () => {
      const rows = withRead(handle, (tx) =>
        tx
          .select({ stage: messages.stage, n: count() })
          .from(messages)
          .where(isNull(messages.deadAt))
          .groupBy(messages.stage)
          .all(),
      )
      const found = new Map(rows.map(({ stage, n }) => [stage, n]))
      return mapStages((stage) => found.get(stage) ?? 0)
    },

    stats: async () => {
      const at = now()
      const rows = withRead(handle, (tx) =>
        tx
          .select({ stage: messages.stage, waiting: count(), oldestAt: min(messages.visibleAt) })
          .from(messages)
          .where(and(isNull(messages.deadAt), isVisible(at)))
          .groupBy(messages.stage)
          .all(),
      )
      const found = new Map(rows.map(({ stage, waiting, oldestAt }) => [stage, { waiting, oldestAt: oldestAt ?? at }]))
      return mapStages((stage) => found.get(stage) ?? { waiting: 0 })
    },

    deadLetters: async ({ limit, ...choice }) => {
      const rows = withRead(handle, (tx) =>
        tx.select().from(messages).where(dead(choice)).orderBy(asc(messages.deadAt), asc(messages.seq)).all(),
      )
      return toDeadLetters(rows, limit)
    },

    requeueDeadLetters: (choice) =>
      handle.enqueueWrite(() =>
        withWrite(handle, (tx) => {
          const set = { deadAt: null, deadReason: null, visibleAt: now(), deliveries: 0 }
          return tx.update(messages).set(set).where(dead(choice)).run().changes
        }),
      ),

    dropDeadLetters: (choice) =>
      handle.enqueueWrite(() => withWrite(handle, (tx) => tx.delete(messages).where(dead(choice)).run().changes)),

    watch: (wake) => handle.changes.on(wake),

    ping: () => withRead(handle, (tx) => void tx.get(sql`select count(*) from ${messages} where ${messages.seq} = 0`)),
  }
}
