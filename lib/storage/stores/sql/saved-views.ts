import { and, asc, count, eq, ne } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import { MAX_SAVED_VIEWS, type SavedView, type SavedViewPatch } from "../../../domain/saved-views.ts"
import type { savedViews } from "../../database/schema/index.ts"
import type { NewSavedView } from "../ports/saved-views.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { all, get, type Operation, run } from "./statements.ts"

const VIEWS_LOCK = "saved views"

const keyOf = (name: string): string => name.toLowerCase()

const toView = ({ id, name, query, createdAt }: typeof savedViews.$inferSelect): SavedView => ({
  id,
  name,
  query,
  created_at: new Date(createdAt).toISOString(),
})

function* requireFreeName({ db, tables: { savedViews } }: Transaction, name: string, id: string): Operation<void> {
  const other = yield* get(
    db
      .select({ id: savedViews.id })
      .from(savedViews)
      .where(and(eq(savedViews.key, keyOf(name)), ne(savedViews.id, id))),
  )
  if (other) throw new AppError("conflict", `There is a view with the name '${name}' already. Choose another name.`)
}

export const listSavedViews = async (database: SqlDatabase): Promise<SavedView[]> => {
  const rows = await database.read(({ db, tables: { savedViews } }) =>
    all(db.select().from(savedViews).orderBy(asc(savedViews.key))),
  )
  return rows.map(toView)
}

export const createSavedView = async (database: SqlDatabase, { id, name, query }: NewSavedView): Promise<SavedView> => {
  const row = await database.write([VIEWS_LOCK], function* (tx) {
    const { savedViews } = tx.tables
    yield* requireFreeName(tx, name, id)
    const stored = (yield* get(tx.db.select({ n: count() }).from(savedViews)))?.n ?? 0
    if (stored >= MAX_SAVED_VIEWS)
      throw new AppError("conflict", `There are ${stored} saved views, the maximum. Delete those that are not used.`)
    const row = { id, name, key: keyOf(name), query, createdAt: tx.now }
    yield* run(tx.db.insert(savedViews).values(row))
    return row
  })
  return toView(row)
}

export const updateSavedView = async (
  database: SqlDatabase,
  id: string,
  { name, query }: SavedViewPatch,
): Promise<SavedView | null> => {
  const row = await database.write([VIEWS_LOCK], function* (tx) {
    const { savedViews } = tx.tables
    const before = yield* get(tx.db.select().from(savedViews).where(eq(savedViews.id, id)))
    if (!before) return null
    if (name !== undefined) yield* requireFreeName(tx, name, id)
    const after = { name: name ?? before.name, key: keyOf(name ?? before.name), query: query ?? before.query }
    yield* run(tx.db.update(savedViews).set(after).where(eq(savedViews.id, id)))
    return { ...before, ...after }
  })
  return row && toView(row)
}

export const deleteSavedView = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([VIEWS_LOCK], function* ({ db, tables: { savedViews } }) {
    return (yield* run(db.delete(savedViews).where(eq(savedViews.id, id)))) > 0
  })
