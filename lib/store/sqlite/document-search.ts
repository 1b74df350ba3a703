import { and, eq, gt, type SQL, sql } from "drizzle-orm"
import type { QueryScope } from "../../contracts/documents.ts"
import { documentChunks, documentRevision, documents } from "../../db/schema/index.ts"
import { type Tx, withRead } from "../../db/transact.ts"
import { type Hit, MAX_TERMS, type SearchScope, type SearchTerm } from "../search/types.ts"
import { VectorRows } from "../search/vector-rows.ts"
import type { Context } from "./context.ts"

/** Weight of a word in title or heading beside one in the text. */
const CONTEXT_WEIGHT = 1

/** A word as a string of the FTS5 query language: nothing in it is an operator. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""').replaceAll("\0", "")}"`

/** Whether the store also holds what the scope leaves out; when it does not, nothing has to be looked up to tell. */
const isMixed = (tx: Tx, scope: QueryScope): boolean =>
  scope !== "all" &&
  tx.get<{ n: number }>(sql`select exists(select 1 from documents where kind = ${otherThan(scope)}) as n`).n === 1
const otherThan = (scope: QueryScope): string => (scope === "clips" ? "file" : "clip")

/** A condition on rows of the full text: that they are of the scope. */
const inScope = (tx: Tx, scope: QueryScope, row: SQL) =>
  isMixed(tx, scope)
    ? sql`exists(select 1 from document_chunks c join documents d on d.id = c.document_id
        where c.id = ${row} and d.kind <> ${otherThan(scope)})`
    : sql`1`

/**
 * BM25 as FTS5 computes it (k1 = 1.2, b = 0.75) for each term by itself, weighed and added: FTS5 knows no weights of
 * words. Its scores are negative, the best lowest.
 */
export const searchText = ({ handle }: Context, terms: readonly SearchTerm[], { scope, limit }: SearchScope): Hit[] => {
  if (terms.length === 0) return []
  const searches = terms.slice(0, MAX_TERMS).map(
    ({ words, weight }) =>
      sql`select rowid as row, -${weight} * bm25(chunks_fts, 1.0, ${CONTEXT_WEIGHT}) as score
            from chunks_fts where chunks_fts match ${quoted(words.join(" "))}`,
  )
  return withRead(handle, (tx) =>
    // Materialised, because bm25 cannot be called from within an aggregate, into which SQLite would draw it.
    tx.all<Hit>(sql`
      with each as materialized (${sql.join(searches, sql` union all `)}),
        found as (select row, sum(score) as score from each group by row)
      select row, score from found
      where ${inScope(tx, scope, sql`found.row`)} order by score desc, row limit ${limit}`),
  )
}

export const frequencies = ({ handle }: Context, words: readonly string[], scope: QueryScope) =>
  withRead(handle, (tx) => {
    const count = (where: SQL) =>
      tx.get<{ n: number }>(sql`select count(*) as n from chunks_fts where ${where} and
        ${inScope(tx, scope, sql`chunks_fts.rowid`)}`).n
    const total = tx.get<{ n: number }>(
      sql`select count(*) as n from document_chunks c where ${inScope(tx, scope, sql`c.id`)}`,
    ).n
    return { total, counts: words.map((word) => count(sql`chunks_fts match ${quoted(word)}`)) }
  })

const toFloats = (b: Buffer): Float32Array =>
  new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) as ArrayBuffer)

/**
 * The vectors of one store in memory. Before each use the revision of the documents is compared; after a change by any
 * process only what is new is read.
 */
export const openVectors = ({ handle }: Context) => {
  const models = new Map<string, { rows: VectorRows; revision: number; last: number }>()
  return (embedModel: string): VectorRows => {
    const kept = models.get(embedModel) ?? { rows: new VectorRows(), revision: -1, last: 0 }
    models.set(embedModel, kept)
    withRead(handle, (tx) => {
      const revision = tx.select().from(documentRevision).get()?.revision ?? 0
      if (revision === kept.revision) return
      const ofModel = eq(documents.embedModel, embedModel)
      const ids = tx
        .select({ id: documentChunks.id })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        .where(ofModel)
        .all()
      kept.rows.keepOnly(new Set(ids.map(({ id }) => id)))
      const fresh = tx
        .select({ id: documentChunks.id, kind: documents.kind, vector: documentChunks.vector })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        .where(and(ofModel, gt(documentChunks.id, kept.last)))
        .orderBy(documentChunks.id)
        .all()
      for (const { id, kind, vector } of fresh) kept.rows.set(id, kind, toFloats(vector))
      kept.last = fresh.at(-1)?.id ?? kept.last
      kept.revision = revision
    })
    return kept.rows
  }
}
