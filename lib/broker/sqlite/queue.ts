import { and, asc, count, eq, gt, isNotNull, isNull, lte, min, or, sql } from "drizzle-orm"
import { STAGE_NAMES, type StageName } from "../../contracts/stages.ts"
import { databaseError } from "../../db/errors.ts"
import type { DatabaseHandle } from "../../db/open.ts"
import { brokerMessages as messages } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { newId } from "../../ids.ts"
import type { DeadLetter, DeadLetterChoice, Delivery, OutgoingMessage, QueueStats, Settlement } from "../types.ts"

/** A message in hand: only the holder of its receipt may extend or settle it. */
export type Receipt = { readonly delivery: Delivery; readonly receipt: string; readonly deliveries: number }

export type Settled = { readonly receipt: string; readonly settlement: Settlement }
type Exchange = {
  readonly stage: StageName
  readonly settled: readonly Settled[]
  readonly limit: number
  readonly at: number
  readonly until: number
}

/** Rows a statement: SQLite takes at most 32 766 parameters. */
const BATCH = 1000

/** Nothing is put off for so long: a message that seems to be was written before the clock was set back. */
const FAR_MS = 600_000

/** The queue's rows. Every function is one transaction; times are milliseconds since the epoch. */
export const openQueue = (handle: DatabaseHandle) => {
  const waiting = (stage: StageName, at: number) =>
    and(eq(messages.stage, stage), isNull(messages.deadAt), isVisible(at))
  const isVisible = (at: number) => or(lte(messages.visibleAt, at), gt(messages.visibleAt, at + FAR_MS))
  const held = (receipt: string) => and(eq(messages.receipt, receipt), isNull(messages.deadAt))
  const dead = ({ stage, ids }: DeadLetterChoice) =>
    and(
      isNotNull(messages.deadAt),
      stage ? eq(messages.stage, stage) : undefined,
      // One parameter however many ids.
      ids ? sql`${messages.id} in (select value from json_each(${JSON.stringify(ids)}))` : undefined,
    )
  // Asked twenty times a second by every subscription, so prepared once, and without the write lock.
  const look = handle.raw
    .prepare(
      "select 1 from broker_messages where stage = ? and dead_at is null and (visible_at <= ? or visible_at > ?) limit 1",
    )
    .pluck()
  const isDue = (stage: StageName, at: number): boolean => {
    try {
      return look.get(stage, at, at + FAR_MS) !== undefined
    } catch (error) {
      throw databaseError(error, handle.path)
    }
  }

  const settle = (tx: Tx, receipt: string, settlement: Settlement, at: number): void => {
    if (settlement === "ack") tx.delete(messages).where(held(receipt)).run()
    else if ("retryInMs" in settlement)
      tx.update(messages)
        .set({ receipt: null, visibleAt: at + settlement.retryInMs })
        .where(held(receipt))
        .run()
    else
      tx.update(messages)
        .set({ receipt: null, deadAt: at, deadReason: settlement.deadLetter })
        .where(held(receipt))
        .run()
  }
  const take = (tx: Tx, { stage, limit, at, until }: Exchange): Receipt[] => {
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
    /** All or none; an id that waits, is in hand or is dead is left as it is. */
    insert: (batch: readonly OutgoingMessage[], at: number): void =>
      withWrite(handle, (tx) => {
        for (let i = 0; i < batch.length; i += BATCH)
          tx.insert(messages)
            .values(batch.slice(i, i + BATCH).map(({ id, stage, body }) => ({ id, stage, body, visibleAt: at })))
            .onConflictDoNothing()
            .run()
      }),

    /**
     * Settles what was in hand and takes up to `limit` messages, oldest first, hidden from others until `until`; with
     * nothing to settle and nothing there it does not ask for the write lock. A settlement whose receipt no longer holds
     * is without effect: somebody else has the message by now.
     */
    exchange: (p: Exchange): Receipt[] => {
      const due = p.limit > 0 && isDue(p.stage, p.at)
      if (!due && p.settled.length === 0) return []
      return withWrite(handle, (tx) => {
        for (const { receipt, settlement } of p.settled) settle(tx, receipt, settlement, p.at)
        return due ? take(tx, p) : []
      })
    },

    extend: (receipt: string, until: number): void =>
      withWrite(handle, (tx) => void tx.update(messages).set({ visibleAt: until }).where(held(receipt)).run()),

    depth: (): Record<StageName, number> => {
      const rows = withRead(handle, (tx) =>
        tx
          .select({ stage: messages.stage, n: count() })
          .from(messages)
          .where(isNull(messages.deadAt))
          .groupBy(messages.stage)
          .all(),
      )
      const found = new Map(rows.map(({ stage, n }) => [stage, n]))
      return Object.fromEntries(STAGE_NAMES.map((s) => [s, found.get(s) ?? 0])) as Record<StageName, number>
    },

    stats: (at: number): Record<StageName, QueueStats> => {
      const rows = withRead(handle, (tx) =>
        tx
          .select({ stage: messages.stage, waiting: count(), oldestAt: min(messages.visibleAt) })
          .from(messages)
          .where(and(isNull(messages.deadAt), isVisible(at)))
          .groupBy(messages.stage)
          .all(),
      )
      const found = new Map(rows.map(({ stage, waiting, oldestAt }) => [stage, { waiting, oldestAt: oldestAt ?? at }]))
      return Object.fromEntries(STAGE_NAMES.map((s) => [s, found.get(s) ?? { waiting: 0 }])) as Record<
        StageName,
        QueueStats
      >
    },

    dead: ({ limit, ...choice }: DeadLetterChoice & { readonly limit: number }): DeadLetter[] => {
      const rows = withRead(handle, (tx) =>
        tx.select().from(messages).where(dead(choice)).orderBy(asc(messages.deadAt), asc(messages.seq)).all(),
      )
      const ofStage = (stage: StageName) => rows.filter((row) => row.stage === stage)
      return STAGE_NAMES.flatMap(ofStage)
        .slice(0, limit)
        .map(({ stage, id, body, deadReason, deadAt }) => ({ stage, id, body, reason: deadReason!, deadAt: deadAt! }))
    },

    revive: (choice: DeadLetterChoice, at: number): number =>
      withWrite(
        handle,
        (tx) =>
          tx
            .update(messages)
            .set({ deadAt: null, deadReason: null, visibleAt: at, deliveries: 0 })
            .where(dead(choice))
            .run().changes,
      ),

    ping: (): void =>
      withRead(handle, (tx) => void tx.get(sql`select count(*) from ${messages} where ${messages.seq} = 0`)),
  }
}
export type Queue = ReturnType<typeof openQueue>
