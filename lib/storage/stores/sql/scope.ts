import { count, eq, type SQL, sql } from "drizzle-orm"
import type { QueryScope } from "../../../domain/documents.ts"
import type { DocumentKind } from "../ports/documents.ts"
import type { Context, Tx } from "./context.ts"
import { all, get, type Steps } from "./steps.ts"

const otherThan = (scope: QueryScope): DocumentKind => (scope === "clips" ? "file" : "clip")

/** Whether the store also holds what the scope leaves out; when it does not, nothing has to be looked up to tell. */
function* isMixed({ db, t: { documents } }: Tx, scope: QueryScope): Steps<boolean> {
  if (scope === "all") return false
  const other = db
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.kind, otherThan(scope)))
  return (yield* get(other.limit(1))) !== undefined
}

/** A condition on the id of a passage: that it is of the scope. */
export function* inScope(tx: Tx, scope: QueryScope, row: SQL): Steps<SQL> {
  return (yield* isMixed(tx, scope))
    ? sql`exists (select 1 from document_chunks c join documents d on d.id = c.document_id
        where c.id = ${row} and d.kind <> ${otherThan(scope)})`
    : sql`1 = 1`
}

export const frequencies = (c: Context, words: readonly string[], scope: QueryScope) =>
  c.read(function* (tx) {
    const { documentChunks } = tx.t
    const condition = yield* inScope(tx, scope, sql`${documentChunks.id}`)
    const [found] = yield* all(tx.db.select({ n: count() }).from(documentChunks).where(condition))
    return { total: found!.n, counts: yield* tx.dialect.countWords(tx, words, scope) }
  })
