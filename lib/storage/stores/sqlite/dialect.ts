import { type Placeholder, sql } from "drizzle-orm"
import { withoutNul } from "../../../domain/schemas.ts"
import { spaced } from "../../../domain/text/tokens.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { documentChunks } from "../../database/schema/index.ts"
import { type Hit, MAX_TERMS, type NewDocument } from "../ports/documents.ts"
import { stemsOf } from "../search/stems.ts"
import { toBlob } from "../sql/blobs.ts"
import type { Dialect, FoundText } from "../sql/context.ts"
import { inScope } from "../sql/scope.ts"
import { rows, run } from "../sql/steps.ts"

/** Weight of a word in title or heading beside one in the text. */
const CONTEXT_WEIGHT = 1

/** A word as a string of the FTS5 query language: nothing in it is an operator. */
const quoted = (word: string): string => `"${withoutNul(word).replaceAll('"', '""')}"`

/** Every word as a phrase of its stems, all of them wanted; the last may still be being written. Empty: nothing to look for. */
const matchOf = (words: readonly string[]): string =>
  words
    .flatMap((word, i) => {
      const stems = stemsOf(word).join(" ")
      return stems === "" ? [] : [`"${stems}"${i === words.length - 1 ? "*" : ""}`]
    })
    .join(" AND ")

/** Made once a database: a folder of files runs them thousands of times. */
const prepareInserts = ({ db, raw }: DatabaseHandle) => {
  const [documentId, ordinal, text, metadata, vector] = ["documentId", "ordinal", "text", "metadata", "vector"].map(
    (name) => sql.placeholder(name),
  ) as [Placeholder, Placeholder, Placeholder, Placeholder, Placeholder]
  return {
    chunk: db.insert(documentChunks).values({ documentId, ordinal, text, metadata, vector }).prepare(),
    text: raw.prepare("insert into chunks_fts (rowid, text, context) values (?, ?, ?)"),
  }
}
const prepared = new WeakMap<DatabaseHandle, ReturnType<typeof prepareInserts>>()

/** To be called inside a transaction of this database. */
const insertChunks = (handle: DatabaseHandle, documentId: string, chunks: NewDocument["chunks"]): number => {
  const insert = prepared.get(handle) ?? prepareInserts(handle)
  prepared.set(handle, insert)
  chunks.forEach(({ text, context, metadata, vector }, ordinal) => {
    const { lastInsertRowid } = insert.chunk.run({ documentId, ordinal, text, metadata, vector: toBlob(vector) })
    insert.text.run(lastInsertRowid, spaced(text), spaced(context))
  })
  return chunks.length
}

/** Full text by FTS5, in tables beside the rows that it is of. */
export const sqliteDialect = (handle: DatabaseHandle): Dialect => ({
  jsonText: (column, key) => sql`json_extract(${column}, ${`$.${key}`})`,

  asInserted: sql`rowid`,

  insertChunks: function* (_, { id, chunks }) {
    yield* run({ run: () => ({ changes: insertChunks(handle, id, chunks) }) })
  },

  /**
   * BM25 as FTS5 computes it (k1 = 1.2, b = 0.75) for each term by itself, weighed and added: FTS5 knows no weights of
   * words. Its scores are negative, the best lowest.
   */
  searchText: function* (tx, terms, { scope, limit }) {
    if (terms.length === 0) return []
    const searches = terms.slice(0, MAX_TERMS).map(
      ({ words, weight }) =>
        sql`select rowid as row, -${weight} * bm25(chunks_fts, 1.0, ${CONTEXT_WEIGHT}) as score
            from chunks_fts where chunks_fts match ${quoted(words.join(" "))}`,
    )
    // Materialised, because bm25 cannot be called from within an aggregate, into which SQLite would draw it.
    return yield* rows<Hit>(sql`
      with each as materialized (${sql.join(searches, sql` union all `)}),
        found as (select row, sum(score) as score from each group by row)
      select row, score from found
      where ${yield* inScope(tx, scope, sql`found.row`)} order by score desc, row limit ${limit}`)
  },

  countWords: function* (tx, words, scope) {
    const condition = yield* inScope(tx, scope, sql`chunks_fts.rowid`)
    const counts: number[] = []
    for (const word of words) {
      const [found] = yield* rows<{ n: number }>(
        sql`select count(*) as n from chunks_fts where chunks_fts match ${quoted(word)} and ${condition}`,
      )
      counts.push(found!.n)
    }
    return counts
  },

  textRows: function* () {
    return (yield* rows<{ n: number }>(sql`select count(*) as n from chunks_fts`))[0]!.n
  },

  findableColumns: (text) => ({ stems: stemsOf(text).join(" ") }),

  find: function* (_, words, kind, limit) {
    const match = matchOf(words)
    if (match === "") return []
    const found = yield* rows<Omit<FoundText, "starts"> & { readonly starts: string | null }>(sql`
      select f.clip_id, c.title as clip_title, f.number, f.starts, f.speaker, f.start_s, f.text
      from findable_fts join findables f on f.id = findable_fts.rowid join clips c on c.id = f.clip_id
      where findable_fts match ${match} and f.kind = ${kind}
      order by round(bm25(findable_fts), 12), f.id limit ${limit}`)
    return found.map((row) => ({ ...row, starts: JSON.parse(row.starts ?? "[]") }))
  },
})
