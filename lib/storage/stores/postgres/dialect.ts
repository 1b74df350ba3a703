import { type SQL, sql } from "drizzle-orm"
import { toTimings } from "../../../domain/transcript/word-timings.ts"
import { batchChunks } from "../ports/chunk-batches.ts"
import { type ClipSection, type Hit, MAX_TERMS, type NewDocument } from "../ports/documents.ts"
import type { Dialect, LibraryRow, RowVector, Transaction } from "../sql/database.ts"
import { scopeCondition } from "../sql/documents/scope.ts"
import { encodeVector } from "../sql/map/vectors.ts"
import { all, type Operation, queryRows } from "../sql/statements.ts"
import { toTsquery, toTsvector } from "./full-text.ts"

/** Reads a total of a full-text table (its rows or stems), which triggers maintain. */
const totalOf = (table: string, kind: string) =>
  sql`greatest(1, coalesce((select value from counters where name = ${`${table}_${kind}`}), 1))::float8`

/** Returns a common table expression `queries`: one row per tsquery, with its number and weight. */
const queriesTable = (queries: readonly string[], weights: readonly number[]): SQL => sql`
    queries as (select n, query::tsquery as query, weight
      from unnest(${sql.param(queries)}::text[], ${sql.param(weights)}::float8[]) with ordinality as q (query, weight, n))`

/** Returns a common table expression `totals`: the number of rows and their mean number of stems. */
const totalsTable = (table: string): SQL =>
  sql`totals as (select ${totalOf(table, "rows")} as n, ${totalOf(table, "stems")} / ${totalOf(table, "rows")} as mean)`

/** Counts the occurrences of a phrase: that is `ts_rank_cd` with all weights at 1 and no normalization by length. */
const countOccurrences = (stems: SQL, query: SQL): SQL => sql`ts_rank_cd('{1, 1, 1, 1}', ${stems}, ${query})`

/**
 * The weighted sum of the BM25 scores of each query, with the constants of FTS5 (k1 = 1.2, b = 0.75). `matches` is the
 * number of rows that match a query. Rounded, because a sum of floats depends on its order, and equal scores have to
 * compare equal so that rows are then sorted by ID.
 */
const BM25 = sql.raw(`round(sum(weight * ln(greatest(1.000001, (totals.n - matches + 0.5) / (matches + 0.5)))
        * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * stem_count / totals.mean)))::numeric, 12)::float8`)

/** Inserts vectors into the table that pgvector searches. */
export const insertVectors = (vectors: readonly RowVector[]): Operation<unknown[]> => {
  const column = (pick: (v: RowVector) => unknown) => sql.param(vectors.map(pick))
  return queryRows(sql`insert into chunk_vectors (chunk_id, model, kind, dims, embedding)
    select * from unnest(${column((v) => v.row)}::bigint[], ${column((v) => v.model)}::text[], ${column((v) => v.kind)}::text[],
      ${column((v) => v.vector.length)}::int[], ${column((v) => `[${v.vector.join(",")}]`)}::vector[])
    on conflict (chunk_id) do nothing`)
}

/** The number of chunks that are inserted in one statement. */
const INSERT_BATCH_SIZE = 1000

function* insertChunks(tx: Transaction, document: NewDocument, withVectors: boolean): Operation<void> {
  const { documentChunks } = tx.tables
  const { id: documentId, kind, embedModel: model, chunks } = document
  let ordinal = 0
  for (const batch of batchChunks(chunks, INSERT_BATCH_SIZE)) {
    const first = ordinal
    const values = batch.map(({ text, context, metadata, words, vector }) => ({
      documentId,
      ordinal: ordinal++,
      text,
      metadata,
      timings: words ? toTimings(words) : null,
      vector: encodeVector(vector),
      ...toTsvector(text, context),
    }))
    const returned = { row: documentChunks.id, ordinal: documentChunks.ordinal }
    const inserted = yield* all(tx.db.insert(documentChunks).values(values).returning(returned))
    const vectors = inserted.map(({ row, ordinal }) => ({ row, kind, model, vector: batch[ordinal - first]!.vector }))
    if (withVectors) yield* insertVectors(vectors.filter((v) => v.vector.length > 0))
  }
}

/** Creates the dialect of PostgreSQL. Its tsvectors contain stems made by Earmark, so that all stores match alike. */
export const createPostgresDialect = (withVectors: boolean): Dialect => ({
  foldText: (column) => sql`lower(${column})`,
  containsText: (column, text) => sql`strpos(lower(${column}), lower(${text}::text)) > 0`,
  hasJsonValue: (column, text) =>
    sql`exists (select 1 from json_each_text(${column}) where lower(value) = lower(${text}::text))`,
  isOneOf: (column, values) => sql`${column} = any(${sql.param(values)}::text[])`,
  // The only texts in timings are the IDs of speakers.
  isSpokenBy: ({ names, timings }, speakers) =>
    sql`exists (select 1 from json_each_text(${names}) n where strpos(${timings}::text, to_json(n.key)::text) > 0
      and lower(n.value) in (select lower(name) from unnest(${sql.param(speakers)}::text[]) as s (name)))`,
  sectionsTable: (sections) => {
    const column = (pick: (section: ClipSection) => unknown) => sql.param(sections.map(pick))
    return sql`unnest(${column((s) => s.clipId)}::text[], ${column((s) => s.start_s)}::float8[],
      ${column((s) => s.end_s)}::float8[]) as r (clip_id, start_s, end_s)`
  },
  isFoundClip: (clipId, words) => {
    const queries = words.flatMap((word, i) => toTsquery([word], i === words.length - 1) ?? [])
    if (queries.length === 0) return sql`false`
    const each = queries.map((query) => sql`f.stems @@ ${query}::tsquery`)
    return sql`${clipId} in (select f.clip_id from findables f where ${sql.join(each, sql` and `)})`
  },

  jsonText: (column, key) => sql`${column} ->> ${sql.raw(`'${key}'`)}`,
  insertionOrder: sql`seq`,
  insertChunks: (tx, document) => insertChunks(tx, document, withVectors),
  replaceVectors: function* (vectors) {
    if (!withVectors) return
    for (let at = 0; at < vectors.length; at += INSERT_BATCH_SIZE) {
      const batch = vectors.slice(at, at + INSERT_BATCH_SIZE)
      const rows = sql.param(batch.map(({ row }) => row))
      yield* queryRows(sql`delete from chunk_vectors where chunk_id = any(${rows}::bigint[])`)
      yield* insertVectors(batch.filter(({ vector }) => vector.length > 0))
    }
  },

  searchText: function* (tx, terms, { limit, ...scope }) {
    const wanted = terms.slice(0, MAX_TERMS).flatMap(({ words, weight }) => {
      const query = toTsquery(words)
      return query === null ? [] : [{ query, weight }]
    })
    if (wanted.length === 0) return []
    const [queries, weights] = [wanted.map((w) => w.query), wanted.map((w) => w.weight)]
    return yield* queryRows<Hit>(sql`
      with ${queriesTable(queries, weights)}, ${totalsTable("document_chunks")},
        hits as (select weight, r.id, r.stem_count, ${countOccurrences(sql`r.stems`, sql`query`)} as times,
          count(*) over (partition by n) as matches from queries join document_chunks r on r.stems @@ query),
        found as (select id, ${BM25} as score from hits, totals group by id)
      select id as row, score from found where ${yield* scopeCondition(tx, scope, sql`found.id`)}
      order by score desc, id limit ${limit}`)
  },

  countChunksWithWords: function* (tx, words, scope) {
    const condition = yield* scopeCondition(tx, scope, sql`r.id`)
    const queries = words.map((word) => toTsquery([word]) ?? "")
    const found = yield* queryRows<{ n: number }>(sql`
      select (select count(*) from document_chunks r where r.stems @@ query::tsquery and ${condition}) as n
      from unnest(${sql.param(queries)}::text[]) with ordinality as q (query, at) order by at`)
    return found.map(({ n }) => n)
  },

  countIndexedChunks: function* () {
    const [found] = yield* queryRows<{ n: number }>(
      sql`select coalesce((select value from counters where name = 'document_chunks_rows'), 0) as n`,
    )
    return found!.n
  },

  searchColumns: (text) => toTsvector(text),

  measureTables: () =>
    queryRows(sql`select relname as "table", pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by bytes desc`),
  searchLibrary: function* (_, words, kind, limit, condition = sql`true`) {
    const queries = words.flatMap((word, i) => toTsquery([word], i === words.length - 1) ?? [])
    if (queries.length === 0) return []
    const weights = queries.map(() => 1)
    const each = queries.map((query) => sql`findables.stems @@ ${query}::tsquery`)
    return yield* queryRows<LibraryRow>(sql`
      with ${queriesTable(queries, weights)}, ${totalsTable("findables")},
        counted as materialized (select *, (select count(*) from findables r where r.stems @@ query) as matches from queries),
        hits as materialized (select findables.id, findables.stems, findables.stem_count from findables
          where kind = ${kind} and ${sql.join(each, sql` and `)} and ${condition}),
        ranked as (select id, stem_count, weight, matches, ${countOccurrences(sql`stems`, sql`query`)} as times from hits, counted),
        found as (select id, ${BM25} as score from ranked, totals group by id)
      select r.clip_id, c.title as clip_title, r.number, coalesce(r.starts, '[]'::json) as starts, r.speaker, r.start_s, r.text
      from found join findables r on r.id = found.id join clips c on c.id = r.clip_id
      order by found.score desc, r.id limit ${limit}`)
  },
})
