import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm"
import type { IfMatch } from "../../../domain/clip-version.ts"
import { AppError } from "../../../domain/errors.ts"
import {
  MAX_THREADS,
  MAX_TURNS,
  type Thread,
  type ThreadList,
  type ThreadPatch,
  type ThreadsQuery,
  type ThreadWithTurns,
} from "../../../domain/threads.ts"
import type { threads, threadTurns } from "../../database/schema/index.ts"
import type { NewThread, NewTurn, PastTurn } from "../ports/threads.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { isAfter, newestFirst, orderBy, splitPage } from "./pagination.ts"
import { requireRowVersion, rowEtag } from "./row-version.ts"
import { all, get, type Operation, run } from "./statements.ts"

const THREADS_LOCK = "threads"
const lockKeyOf = (id: string): string => `thread ${id}`

type ThreadRow = typeof threads.$inferSelect
type TurnRow = typeof threadTurns.$inferSelect

const toThread = (row: ThreadRow, questions: number): Thread => ({
  id: row.id,
  title: row.title,
  questions,
  created_at: new Date(row.createdAt).toISOString(),
  updated_at: new Date(row.updatedAt).toISOString(),
  etag: rowEtag(row),
})

function* countTurns({ db, tables: { threadTurns: t } }: Transaction, id: string): Operation<number> {
  return (yield* get(db.select({ n: count() }).from(t).where(eq(t.threadId, id))))!.n
}

function* readThread({ db, tables: { threads } }: Transaction, id: string): Operation<ThreadRow | undefined> {
  return yield* get(db.select().from(threads).where(eq(threads.id, id)))
}

export const createThread = (database: SqlDatabase, { id, title }: NewThread): Promise<Thread> =>
  database.write([THREADS_LOCK], function* (tx) {
    const { threads } = tx.tables
    const existing = yield* readThread(tx, id)
    if (existing) return toThread(existing, yield* countTurns(tx, id))
    const stored = (yield* get(tx.db.select({ n: count() }).from(threads)))!.n
    if (stored >= MAX_THREADS)
      throw new AppError("conflict", `There are ${stored} threads, the maximum. Delete some before you start another.`)
    const row = { id, title, createdAt: tx.now, updatedAt: tx.now, version: 0 }
    yield* run(tx.db.insert(threads).values(row))
    return toThread(row, 0)
  })

const containsText = ({ db, dialect, tables: { threads, threadTurns: t } }: Transaction, q: string): SQL | undefined =>
  or(
    dialect.containsText(threads.title, q),
    inArray(threads.id, db.select({ id: t.threadId }).from(t).where(dialect.containsText(t.question, q))),
  )

export const listThreads = async (database: SqlDatabase, { limit, cursor, q }: ThreadsQuery): Promise<ThreadList> =>
  database.read(function* (tx) {
    const { threads } = tx.tables
    const order = newestFirst({ createdAt: threads.updatedAt, id: threads.id })
    const questions = sql`(select count(*) from thread_turns t where t.thread_id = threads.id)`.mapWith(Number)
    const rows = yield* all(
      tx.db
        .select({ thread: threads, questions })
        .from(threads)
        .where(and(q ? containsText(tx, q) : undefined, isAfter(cursor, order)))
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const listed = rows.map((row) => ({ ...row, value: row.thread.updatedAt, id: row.thread.id }))
    const { page, next } = splitPage(listed, limit, order)
    return { threads: page.map(({ thread, questions }) => toThread(thread, questions)), ...next }
  })

export const getThread = (database: SqlDatabase, id: string): Promise<ThreadWithTurns | null> =>
  database.read(function* (tx) {
    const { threadTurns: t } = tx.tables
    const row = yield* readThread(tx, id)
    if (!row) return null
    const turns = yield* all(tx.db.select().from(t).where(eq(t.threadId, id)).orderBy(asc(t.number)))
    return {
      ...toThread(row, turns.length),
      turns: turns.map(({ number, question, turn, createdAt }) => ({
        number,
        question,
        ...turn,
        created_at: new Date(createdAt).toISOString(),
      })),
    }
  })

function* listLastTurns(
  { db, tables: { threadTurns: t } }: Transaction,
  id: string,
  limit: number,
): Operation<TurnRow[]> {
  return yield* all(db.select().from(t).where(eq(t.threadId, id)).orderBy(desc(t.number)).limit(limit))
}

export const listPastTurns = (database: SqlDatabase, id: string, limit: number): Promise<PastTurn[] | null> =>
  database.read(function* (tx) {
    if (!(yield* readThread(tx, id))) return null
    const rows = yield* listLastTurns(tx, id, limit)
    return rows
      .filter(({ turn }) => turn.state === "done")
      .reverse()
      .map(({ question, turn: { rewritten_question, answer } }) => ({ question, rewritten_question, answer }))
  })

export const updateThread = (
  database: SqlDatabase,
  id: string,
  { title }: ThreadPatch,
  ifMatch?: IfMatch,
): Promise<Thread | null> =>
  database.write([lockKeyOf(id)], function* (tx) {
    const { threads } = tx.tables
    const row = yield* readThread(tx, id)
    if (!row) return null
    requireRowVersion("thread", row, ifMatch)
    const changed = { ...row, title, version: row.version + 1 }
    yield* run(tx.db.update(threads).set({ title, version: changed.version }).where(eq(threads.id, id)))
    return toThread(changed, yield* countTurns(tx, id))
  })

export const deleteThread = (database: SqlDatabase, id: string, ifMatch?: IfMatch): Promise<boolean> =>
  database.write([lockKeyOf(id)], function* (tx) {
    const { threads } = tx.tables
    const row = yield* readThread(tx, id)
    if (!row) return false
    requireRowVersion("thread", row, ifMatch)
    return (yield* run(tx.db.delete(threads).where(eq(threads.id, id)))) > 0
  })

export const addTurn = (database: SqlDatabase, id: string, { question, ...turn }: NewTurn): Promise<number | null> =>
  database.write([lockKeyOf(id)], function* (tx) {
    const { threads, threadTurns: t } = tx.tables
    const row = yield* readThread(tx, id)
    if (!row) return null
    const [last] = yield* listLastTurns(tx, id, 1)
    if (last && last.question === question && last.turn.state !== "done")
      yield* run(tx.db.delete(t).where(and(eq(t.threadId, id), eq(t.number, last.number))))
    if ((yield* countTurns(tx, id)) >= MAX_TURNS)
      throw new AppError("conflict", `The thread has ${MAX_TURNS} questions, the maximum. Start another thread.`)
    const number = (last?.number ?? 0) + 1
    yield* run(tx.db.insert(t).values({ threadId: id, number, question, turn, createdAt: tx.now }))
    yield* run(
      tx.db
        .update(threads)
        .set({ updatedAt: tx.now, version: row.version + 1 })
        .where(eq(threads.id, id)),
    )
    return number
  })
