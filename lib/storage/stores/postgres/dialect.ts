import { type SQL, sql } from "drizzle-orm"
import { type Hit, MAX_TERMS, type NewDocument } from "../ports/documents.ts"
import { toBlob } from "../sql/blobs.ts"
import { chunks as parts } from "../sql/chunks.ts"
import type { Dialect, FoundText, Tx } from "../sql/context.ts"
import { inScope } from "../sql/scope.ts"
import { all, rows, type Steps } from "../sql/steps.ts"
import { fullTextOf, phraseOf } from "./full-text.ts"

/** A number of the whole full text, kept by triggers. */
const counter = (table: string, kind: string) =>
  sql`greatest(1, coalesce((select value from counters where name = ${`${table}_${kind}`}), 1))::float8`

const asked = (queries: readonly string[], weights: readonly number[]): SQL => sql`
    asked as (select n, query::tsquery as query, weight
      from unnest(${sql.param(queries)}::text[], ${sql.param(weights)}::float8[]) with ordinality as q (query, weight, n))`

const about = (table: string): SQL =>
  sql`about as (select ${counter(table, "rows")} as n, ${counter(table, "stems")} / ${counter(table, "rows")} as mean)`

/** With all weights at 1 and nothing taken off for length, ts_rank_cd is the number of places at which a phrase stands. */
const times = (stems: SQL, query: SQL): SQL => sql`ts_rank_cd('{1, 1, 1, 1}', ${stems}, ${query})`

/**
 * BM25 with the constants that FTS5 has (k1 = 1.2, b = 0.75) of each query by itself, weighed and added, of `others` rows
 * that have it. Rounded, because a sum differs by its order, and what is equal is to be told apart by its number.
 */
const BM25 = sql.raw(`round(sum(weight * ln(greatest(1.000001, (about.n - others + 0.5) / (others + 0.5)))
        * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * stem_count / about.mean)))::numeric, 12)::float8`)

type Vector = {
  readonly row: number
  readonly kind: string
  readonly model: string
  readonly vector: Float32Array
}

/** Writes vectors where the extension's index finds them. */
export const insertVectors = (vectors: readonly Vector[]): Steps<unknown[]> => {
  const of = (pick: (v: Vector) => unknown) => sql.param(vectors.map(pick))
  return rows(sql`insert into chunk_vectors (chunk_id, model, kind, dims, embedding)
    select * from unnest(${of((v) => v.row)}::bigint[], ${of((v) => v.model)}::text[], ${of((v) => v.kind)}::text[],
      ${of((v) => v.vector.length)}::int[], ${of((v) => `[${v.vector.join(",")}]`)}::vector[])
    on conflict (chunk_id) do nothing`)
}

function* insertChunks(tx: Tx, document: NewDocument, withVectors: boolean): Steps<void> {
  const { documentChunks } = tx.t
  const { id: documentId, kind, embedModel: model, chunks } = document
  let ordinal = 0
  for (const part of parts(chunks)) {
    const values = part.map(({ text, context, metadata, vector }) => ({
      documentId,
      ordinal: ordinal++,
      text,
      metadata,
      vector: toBlob(vector),
      ...fullTextOf(text, context),
    }))
    const named = { row: documentChunks.id, ordinal: documentChunks.ordinal }
    const inserted = yield* all(tx.db.insert(documentChunks).values(values).returning(named))
    const vectors = inserted.map(({ row, ordinal }) => ({ row, kind, model, vector: chunks[ordinal]!.vector }))
    if (withVectors) yield* insertVectors(vectors.filter((v) => v.vector.length > 0))
  }
}

/** Full text by tsvector, of stems that the program makes: those of every other store. */
export const postgresDialect = (withVectors: boolean): Dialect => ({
  jsonText: (column, key) => sql`${column} ->> ${sql.raw(`'${key}'`)}`,
  asInserted: sql`seq`,
  insertChunks: (tx, document) => insertChunks(tx, document, withVectors),

  searchText: function* (tx, terms, { scope, limit }) {
    const wanted = terms.slice(0, MAX_TERMS).flatMap(({ words, weight }) => {
      const query = phraseOf(words)
      return query === null ? [] : [{ query, weight }]
    })
    if (wanted.length === 0) return []
    const [queries, weights] = [wanted.map((w) => w.query), wanted.map((w) => w.weight)]
    return yield* rows<Hit>(sql`
      with ${asked(queries, weights)}, ${about("document_chunks")},
        hits as (select weight, r.id, r.stem_count, ${times(sql`r.stems`, sql`query`)} as times,
          count(*) over (partition by n) as others from asked join document_chunks r on r.stems @@ query),
        found as (select id, ${BM25} as score from hits, about group by id)
      select id as row, score from found where ${yield* inScope(tx, scope, sql`found.id`)}
      order by score desc, id limit ${limit}`)
  },

  countWords: function* (tx, words, scope) {
    const condition = yield* inScope(tx, scope, sql`r.id`)
    const queries = words.map((word) => phraseOf([word]) ?? "")
    const found = yield* rows<{ n: number }>(sql`
      select (select count(*) from document_chunks r where r.stems @@ query::tsquery and ${condition}) as n
      from unnest(${sql.param(queries)}::text[]) with ordinality as q (query, at) order by at`)
    return found.map(({ n }) => n)
  },

  textRows: function* () {
    const [found] = yield* rows<{ n: number }>(
      sql`select coalesce((select value from counters where name = 'document_chunks_rows'), 0) as n`,
    )
    return found!.n
  },

  findableColumns: (text) => fullTextOf(text),

  find: function* (_, words, kind, limit) {
    const queries = words.flatMap((word, i) => phraseOf([word], i === words.length - 1) ?? [])
    if (queries.length === 0) return []
    const weights = queries.map(() => 1)
    const each = queries.map((query) => sql`r.stems @@ ${query}::tsquery`)
    return yield* rows<FoundText>(sql`
      with ${asked(queries, weights)}, ${about("findables")},
        known as materialized (select *, (select count(*) from findables r where r.stems @@ query) as others from asked),
        hits as materialized (select r.id, r.stems, r.stem_count from findables r where r.kind = ${kind} and ${sql.join(each, sql` and `)}),
        ranked as (select id, stem_count, weight, others, ${times(sql`stems`, sql`query`)} as times from hits, known),
        found as (select id, ${BM25} as score from ranked, about group by id)
      select r.clip_id, c.title as clip_title, r.number, coalesce(r.starts, '[]'::json) as starts, r.speaker, r.start_s, r.text
      from found join findables r on r.id = found.id join clips c on c.id = r.clip_id
      order by found.score desc, r.id limit ${limit}`)
  },
})
