import { and, eq, gt, sql } from "drizzle-orm"
import type { QueryScope } from "../../contracts/documents.ts"
import { documentChunks, documentRevision, documents } from "../../db/schema/index.ts"
import { withRead } from "../../db/transact.ts"
import type { Hit, SearchScope } from "../search/types.ts"
import { VectorRows } from "../search/vector-rows.ts"
import type { Context } from "./context.ts"

/** Weight of a word in title or heading beside one in the text. */
const CONTEXT_WEIGHT = 1

/** A word as a string of the FTS5 query language: nothing in it is an operator. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""').replaceAll("\0", "")}"`

const ofScope = (scope: QueryScope) => (scope === "all" ? sql`1` : sql`d.kind = ${scope === "clips" ? "clip" : "file"}`)

/** BM25 as FTS5 computes it (k1 = 1.2, b = 0.75); its scores are negative, the best lowest. */
export const searchText = ({ handle }: Context, words: readonly string[], { scope, limit }: SearchScope): Hit[] => {
  if (words.length === 0) return []
  const match = words.map(quoted).join(" OR ")
  const score = sql`bm25(chunks_fts, 1.0, ${CONTEXT_WEIGHT})`
  return withRead(handle, (tx) =>
    tx.all<Hit>(sql`
      select f.rowid as row, -${score} as score
      from chunks_fts f join document_chunks c on c.id = f.rowid join documents d on d.id = c.document_id
      where f.chunks_fts match ${match} and ${ofScope(scope)}
      order by score desc, row limit ${limit}`),
  )
}

export const frequencies = ({ handle }: Context, words: readonly string[], scope: QueryScope) =>
  withRead(handle, (tx) => {
    const from = sql`document_chunks c join documents d on d.id = c.document_id`
    const total = tx.get<{ n: number }>(sql`select count(*) as n from ${from} where ${ofScope(scope)}`).n
    const counts = words.map(
      (word) =>
        tx.get<{ n: number }>(sql`
          select count(*) as n from chunks_fts f, ${from}
          where c.id = f.rowid and f.chunks_fts match ${quoted(word)} and ${ofScope(scope)}`).n,
    )
    return { total, counts }
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
