import { asc, eq, gte } from "drizzle-orm"
import type { Choice, StoredChoiceKind } from "../../../domain/installation.ts"
import type { choices } from "../../database/schema/index.ts"
import type { WorkerStatus } from "../ports/installation.ts"
import type { SqlDatabase } from "./database.ts"
import { all, get, run } from "./statements.ts"

const toChoice = (row: typeof choices.$inferSelect): Choice => ({
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  chosen_at: row.chosenAt,
})

const choiceLockKey = (kind: StoredChoiceKind): string => `choice ${kind}`

export const listChoices = async (database: SqlDatabase): Promise<Choice[]> => {
  const rows = await database.read(({ db, tables: { choices } }) =>
    all(db.select().from(choices).orderBy(asc(choices.kind))),
  )
  return rows.map(toChoice)
}

export const recordChoice = (database: SqlDatabase, choice: Omit<Choice, "chosen_at">): Promise<Choice> =>
  database.write([choiceLockKey(choice.kind)], function* ({ db, now, tables: { choices } }) {
    yield* run(
      db
        .insert(choices)
        .values({ ...choice, chosenAt: now })
        .onConflictDoNothing(),
    )
    return toChoice((yield* get(db.select().from(choices).where(eq(choices.kind, choice.kind))))!)
  })

export const setChoice = (
  database: SqlDatabase,
  kind: StoredChoiceKind,
  choice: { value: string; reason: string } | null,
): Promise<void> =>
  database.write([choiceLockKey(kind)], function* ({ db, now, tables: { choices } }) {
    yield* run(db.delete(choices).where(eq(choices.kind, kind)))
    if (choice) yield* run(db.insert(choices).values({ kind, ...choice, chosenAt: now }))
  })

export const recordHeartbeat = (database: SqlDatabase, worker: Omit<WorkerStatus, "seen_at">): Promise<void> =>
  database.write([], function* ({ db, now, tables: { workers } }) {
    const { id, host, pid, version, stages, started_at: startedAt, active_at: activeAt } = worker
    const set = { host, pid, version, stages, startedAt, activeAt, seenAt: now }
    yield* run(
      db
        .insert(workers)
        .values({ id, ...set })
        .onConflictDoUpdate({ target: workers.id, set }),
    )
  })

export const deregisterWorker = (database: SqlDatabase, id: string): Promise<void> =>
  database.write([], function* ({ db, tables: { workers } }) {
    yield* run(db.delete(workers).where(eq(workers.id, id)))
  })

export const listWorkers = async (
  database: SqlDatabase,
  { aliveWithinMs }: { aliveWithinMs: number },
): Promise<WorkerStatus[]> => {
  const rows = await database.read(({ db, now, tables: { workers } }) =>
    all(
      db
        .select()
        .from(workers)
        .where(gte(workers.seenAt, now - aliveWithinMs))
        .orderBy(asc(workers.startedAt), asc(workers.id)),
    ),
  )
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    version: row.version,
    stages: row.stages,
    started_at: row.startedAt,
    active_at: row.activeAt,
    seen_at: row.seenAt,
  }))
}
