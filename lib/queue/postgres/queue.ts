import type { PoolClient } from "pg"
import type { StageName } from "../../domain/jobs/stages.ts"
import { toPostgresError } from "../../storage/database/postgres/errors.ts"
import { type PostgresHandle, withClient } from "../../storage/database/postgres/open.ts"
import {
  clampDelayMs,
  MAX_DELAY_MS,
  mapStages,
  type Queue,
  type Receipt,
  type Settled,
  toDeadLetters,
} from "../rows/queue.ts"

/** The database's clock in Unix milliseconds. The clocks of the hosts may differ. */
const NOW = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint"
const VISIBLE = `(visible_at <= ${NOW} or visible_at > ${NOW} + ${MAX_DELAY_MS})`
const DEAD = "dead_at is not null and ($1::text is null or stage = $1) and ($2::text[] is null or id = any($2))"

/** Skips rows that another consumer is taking, so that consumers never wait for each other. */
const TAKE = `
  with due as (select seq from broker_messages where stage = $1 and dead_at is null and ${VISIBLE}
    order by visible_at, seq limit $2 for update skip locked)
  update broker_messages m set receipt = gen_random_uuid()::text, deliveries = deliveries + 1, visible_at = ${NOW} + $3
    from due where m.seq = due.seq returning m.id, m.body, m.receipt, m.deliveries`

type Row = { id: string; body: string; receipt: string; deliveries: number }

const settle = async (client: PoolClient, { receipt, settlement }: Settled): Promise<void> => {
  const held = "where receipt = $1 and dead_at is null"
  if (settlement === "ack") await client.query(`delete from broker_messages ${held}`, [receipt])
  else if ("retryInMs" in settlement)
    await client.query(`update broker_messages set receipt = null, visible_at = ${NOW} + $2 ${held}`, [
      receipt,
      clampDelayMs(settlement.retryInMs),
    ])
  else
    await client.query(`update broker_messages set receipt = null, dead_at = ${NOW}, dead_reason = $2 ${held}`, [
      receipt,
      settlement.deadLetter,
    ])
}

export const openQueue = (handle: PostgresHandle): Queue => {
  let failure: unknown = null
  const transact = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    try {
      const result = await withClient(handle.pool, work)
      failure = null
      return result
    } catch (error) {
      failure = toPostgresError(error, handle.location)
      throw failure
    }
  }
  const ask = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
    transact(async (client) => (await client.query(sql, values)).rows as T[])

  return {
    insert: async (batch) => {
      const of = (key: "id" | "stage" | "body") => batch.map((m) => m[key])
      const sql = `insert into broker_messages (id, stage, body, visible_at)
        select *, ${NOW} from unnest($1::text[], $2::text[], $3::text[]) on conflict (id) do nothing`
      if (batch.length > 0) await ask(sql, [of("id"), of("stage"), of("body")])
    },

    exchange: ({ stage, settled, limit, visibilityMs }) =>
      transact(async (client) => {
        if (settled.length > 0) await client.query("begin")
        for (const one of settled) await settle(client, one)
        const room = limit()
        const rows: Row[] = room > 0 ? (await client.query(TAKE, [stage, room, visibilityMs])).rows : []
        if (settled.length > 0) await client.query("commit")
        return rows.map(
          ({ id, body, receipt, deliveries }): Receipt => ({
            delivery: { stage, id, body, redelivered: deliveries > 1 },
            receipt,
            deliveries,
          }),
        )
      }),

    extend: async (receipt, visibilityMs) => {
      const sql = `update broker_messages set visible_at = ${NOW} + $2 where receipt = $1 and dead_at is null`
      await ask(sql, [receipt, visibilityMs])
    },

    depth: async () => {
      const sql = "select stage, count(*) as n from broker_messages where dead_at is null group by stage"
      const found = new Map((await ask<{ stage: StageName; n: number }>(sql)).map(({ stage, n }) => [stage, n]))
      return mapStages((stage) => found.get(stage) ?? 0)
    },

    stats: async () => {
      const rows = await ask<{ stage: StageName; waiting: number; oldest: number }>(
        `select stage, count(*) as waiting, min(visible_at) as oldest from broker_messages
          where dead_at is null and ${VISIBLE} group by stage`,
      )
      const found = new Map(rows.map(({ stage, waiting, oldest }) => [stage, { waiting, oldestAt: oldest }]))
      return mapStages((stage) => found.get(stage) ?? { waiting: 0 })
    },

    deadLetters: async ({ limit, stage, ids }) => {
      const sql = `select stage, id, body, dead_reason as "deadReason", dead_at as "deadAt"
        from broker_messages where ${DEAD} order by dead_at, seq`
      return toDeadLetters(await ask(sql, [stage ?? null, ids ?? null]), limit)
    },

    requeueDeadLetters: async ({ stage, ids }) => {
      const sql = `update broker_messages set dead_at = null, dead_reason = null, visible_at = ${NOW}, deliveries = 0
        where ${DEAD} returning seq`
      return (await ask(sql, [stage ?? null, ids ?? null])).length
    },

    dropDeadLetters: async ({ stage, ids }) => {
      const sql = `delete from broker_messages where ${DEAD} returning seq`
      return (await ask(sql, [stage ?? null, ids ?? null])).length
    },

    watch: (wake) => handle.changes.on("broker_messages", wake),

    ping: () => {
      if (failure === null) return
      const known = failure
      // A web process without jobs may send no other query for a long time. This one updates the state for the next call.
      ask("select 1").catch(() => undefined)
      throw known
    },
  }
}
