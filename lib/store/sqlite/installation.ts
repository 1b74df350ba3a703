import { asc, eq, gte } from "drizzle-orm"
import { choices, workers } from "../../db/schema/index.ts"
import { withRead, withWrite } from "../../db/transact.ts"
import type { Choice, ChoiceKind, WorkerBeat } from "../types.ts"
import type { Context } from "./context.ts"

const toChoice = (row: typeof choices.$inferSelect): Choice => ({
  kind: row.kind,
  value: row.value,
  reason: row.reason,
  chosen_at: row.chosenAt,
})

export const listChoices = ({ handle }: Context): Choice[] =>
  withRead(handle, (tx) => tx.select().from(choices).orderBy(asc(choices.kind)).all().map(toChoice))

export const recordChoice = ({ handle, now }: Context, choice: Omit<Choice, "chosen_at">): Choice =>
  withWrite(handle, (tx) => {
    tx.insert(choices)
      .values({ ...choice, chosenAt: now() })
      .onConflictDoNothing()
      .run()
    return toChoice(tx.select().from(choices).where(eq(choices.kind, choice.kind)).get()!)
  })

export const setChoice = (
  { handle, now }: Context,
  kind: ChoiceKind,
  choice: { value: string; reason: string } | null,
): void =>
  withWrite(handle, (tx) => {
    tx.delete(choices).where(eq(choices.kind, kind)).run()
    if (choice)
      tx.insert(choices)
        .values({ kind, ...choice, chosenAt: now() })
        .run()
  })

export const beat = ({ handle, now }: Context, worker: Omit<WorkerBeat, "seen_at">): void =>
  withWrite(handle, (tx) => {
    const { id, host, pid, stages, started_at: startedAt, active_at: activeAt } = worker
    const set = { host, pid, stages, startedAt, activeAt, seenAt: now() }
    tx.insert(workers)
      .values({ id, ...set })
      .onConflictDoUpdate({ target: workers.id, set })
      .run()
  })

export const unbeat = ({ handle }: Context, id: string): void =>
  withWrite(handle, (tx) => void tx.delete(workers).where(eq(workers.id, id)).run())

export const listWorkers = ({ handle, now }: Context, { aliveWithinMs }: { aliveWithinMs: number }): WorkerBeat[] =>
  withRead(handle, (tx) =>
    tx
      .select()
      .from(workers)
      .where(gte(workers.seenAt, now() - aliveWithinMs))
      .orderBy(asc(workers.startedAt), asc(workers.id))
      .all()
      .map((row) => ({
        id: row.id,
        host: row.host,
        pid: row.pid,
        stages: row.stages,
        started_at: row.startedAt,
        active_at: row.activeAt,
        seen_at: row.seenAt,
      })),
  )
