import { eq, type SQL, sql } from "drizzle-orm"
import type { QueryScope } from "../../../../domain/documents.ts"
import type { DocumentKind } from "../../ports/documents.ts"
import type { Transaction } from "../database.ts"
import { get, type Operation } from "../statements.ts"

const excludedKind = (scope: QueryScope): DocumentKind => (scope === "clips" ? "file" : "clip")

/** Returns true if the scope excludes some of the stored documents. */
function* excludesDocuments({ db, tables: { documents } }: Transaction, scope: QueryScope): Operation<boolean> {
  if (scope === "all") return false
  const excluded = db
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.kind, excludedKind(scope)))
  return (yield* get(excluded.limit(1))) !== undefined
}

/** Returns the condition that the chunk with this ID is in scope. It is trivial if no stored document is excluded. */
export function* scopeCondition(tx: Transaction, scope: QueryScope, chunkId: SQL): Operation<SQL> {
  return (yield* excludesDocuments(tx, scope))
    ? sql`exists (select 1 from document_chunks c join documents d on d.id = c.document_id
        where c.id = ${chunkId} and d.kind <> ${excludedKind(scope)})`
    : sql`1 = 1`
}
