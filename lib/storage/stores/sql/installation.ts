import { asc, eq, gte } from "drizzle-orm"
import type { Choice, ChoiceKind } from "../../../domain/engine-choice.ts"
import type { choices } from "../../database/schema/index.ts"
import type { WorkerStatus } from "../ports/installation.ts"
import type { Context } from "./context.ts"
import { all, get, run } from "./steps.ts"

const toChoice = (row: typeof choices.$inferSelect): Choice => ({
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  chosen_at: row.chosenAt,
})

export const listChoices = async (c: Context): Promise<Choice[]> => {
  const rows = await c.read(({ db, t: { choices } }) => all(db.select().from(choices).orderBy(asc(choices.kind))))
  return rows.map(toChoice)
}

export const recordChoice = (c: Context, choice: Omit<Choice, "chosen_at">): Promise<Choice> =>
  c.write([`choice ${choice.kind}`], function* ({ db, at, t: { choices } }) {
    yield* run(
      db
        .insert(choices)
        .values({ ...choice, chosenAt: at })
        .onConflictDoNothing(),
    )
    return toChoice((yield* get(db.select().from(choices).where(eq(choices.kind, choice.kind))))!)
  })

export const setChoice = (
  c: Context,
  kind: ChoiceKind,
  choice: { value: string; reason: string } | null,
): Promise<void> =>
  c.write([`choice ${kind}`], function* ({ db, at, t: { choices } }) {
    yield* run(db.delete(choices).where(eq(choices.kind, kind)))
    if (choice) yield* run(db.insert(choices).values({ kind, ...choice, chosenAt: at }))
  })

export const recordHeartbeat = (c: Context, worker: Omit<WorkerStatus, "seen_at">): Promise<void> =>
  c.write([], function* ({ db, at, t: { workers } }) {
    const { id, host, pid, version, stages, started_at: startedAt, active_at: activeAt } = worker
    const set = { host, pid, version, stages, startedAt, activeAt, seenAt: at }
    yield* run(
      db
        .insert(workers)
        .values({ id, ...set })
        .onConflictDoUpdate({ target: workers.id, set }),
    )
  })

export const deregisterWorker = (c: Context, id: string): Promise<void> =>
  c.write([], function* ({ db, t: { workers } }) {
    yield* run(db.delete(workers).where(eq(workers.id, id)))
  })

export const listWorkers = async (
  c: Context,
  { aliveWithinMs }: { aliveWithinMs: number },
): Promise<WorkerStatus[]> => {
  const rows = await c.read(({ db, at, t: { workers } }) =>
    all(
      db
        .select()
        .from(workers)
        .where(gte(workers.seenAt, at - aliveWithinMs))
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
