import { sql } from "drizzle-orm"
import { removeNul } from "../../../domain/schemas.ts"
import { insertWordSpaces } from "../../../domain/text/tokens.ts"
import { toTimings } from "../../../domain/transcript/word-timings.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { documentChunks } from "../../database/schema/index.ts"
import { batchChunks } from "../ports/chunk-batches.ts"
import { type Hit, MAX_TERMS, type NewChunk } from "../ports/documents.ts"
import { stemsOf } from "../search/stems.ts"
import type { Dialect, LibraryRow } from "../sql/database.ts"
import { scopeCondition } from "../sql/documents/scope.ts"
import { encodeVector } from "../sql/map/vectors.ts"
import { constant, queryRows, step } from "../sql/statements.ts"

/** The weight of a word in a title or heading, relative to one in the text. */
const CONTEXT_WEIGHT = 1

/** The number of chunks that are inserted in one step. */
const INSERT_BATCH_SIZE = 100

/** Quotes a word as a string of the FTS5 query language, so that nothing in it is an operator. */
const quote = (word: string): string => `"${removeNul(word).replaceAll('"', '""')}"`

/** Returns an FTS5 query for texts that contain all words, the last one as a prefix. Returns "" if there are no stems. */
const toMatchQuery = (words: readonly string[]): string =>
  words
    .flatMap((word, i) => {
      const stems = stemsOf(word).join(" ")
      return stems === "" ? [] : [`"${stems}"${i === words.length - 1 ? "*" : ""}`]
    })
    .join(" AND ")

/** Prepares the insert statements once per database: the ingestion of a folder executes them thousands of times. */
const prepareInserts = ({ db, raw }: DatabaseHandle) => {
  const columns = {
    documentId: sql.placeholder("documentId"),
    ordinal: sql.placeholder("ordinal"),
    text: sql.placeholder("text"),
    metadata: sql.placeholder("metadata"),
    timings: sql.placeholder("timings"),
    vector: sql.placeholder("vector"),
  }
  return {
    chunk: db.insert(documentChunks).values(columns).prepare(),
    text: raw.prepare("insert into chunks_fts (rowid, text, context) values (?, ?, ?)"),
  }
}
const preparedInserts = new WeakMap<DatabaseHandle, ReturnType<typeof prepareInserts>>()

/** Inserts chunks and their full text. Has to be called within a transaction of this database. */
const insertChunks = (
  handle: DatabaseHandle,
  documentId: string,
  chunks: readonly NewChunk[],
  firstOrdinal: number,
): void => {
  const insert = preparedInserts.get(handle) ?? prepareInserts(handle)
  preparedInserts.set(handle, insert)
  chunks.forEach(({ text, context, metadata, words, vector }, i) => {
    const timings = words ? toTimings(words) : null
    const row = { documentId, ordinal: firstOrdinal + i, text, metadata, timings, vector: encodeVector(vector) }
    const { lastInsertRowid } = insert.chunk.run(row)
    insert.text.run(lastInsertRowid, insertWordSpaces(text), insertWordSpaces(context))
  })
}

/** SQLite's own `lower` only changes ASCII letters. */
const addFoldText = ({ raw }: DatabaseHandle): void => {
  raw.function("fold_text", { deterministic: true }, (text) => String(text ?? "").toLowerCase())
}

/** Creates the dialect of SQLite, whose full text is in FTS5 tables. */
export const createSqliteDialect = (handle: DatabaseHandle): Dialect => {
  addFoldText(handle)
  return createDialect(handle)
}

const createDialect = (handle: DatabaseHandle): Dialect => ({
  foldText: (column) => sql`fold_text(${column})`,
  containsText: (column, text) => sql`instr(fold_text(${column}), ${text.toLowerCase()}) > 0`,
  hasJsonValue: (column, text) =>
    sql`exists (select 1 from json_each(${column}) where fold_text(value) = ${text.toLowerCase()})`,
  isOneOf: (column, values) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  // The only texts in timings are the IDs of speakers.
  isSpokenBy: ({ names, timings }, speakers) =>
    sql`exists (select 1 from json_each(${names}) n where instr(${timings}, json_quote(n.key)) > 0
      and fold_text(n.value) in (select value from json_each(${JSON.stringify(speakers.map((name) => name.toLowerCase()))})))`,
  sectionsTable: (sections) => {
    const rows = JSON.stringify(sections.map(({ clipId, start_s, end_s }) => [clipId, start_s, end_s]))
    return sql`(select json_extract(value, '$[0]') as clip_id, json_extract(value, '$[1]') as start_s,
      json_extract(value, '$[2]') as end_s from json_each(${rows})) r`
  },
  isFoundClip: (clipId, words) => {
    const match = toMatchQuery(words)
    if (match === "") return sql`false`
    return sql`${clipId} in (select f.clip_id from findable_fts join findables f on f.id = findable_fts.rowid
      where findable_fts match ${match})`
  },

  jsonText: (column, key) => sql`json_extract(${column}, ${`$.${key}`})`,

  insertionOrder: sql`rowid`,

  insertChunks: function* (_, { id, chunks }) {
    let ordinal = 0
    for (const batch of batchChunks(chunks, INSERT_BATCH_SIZE)) {
      yield* step(() => insertChunks(handle, id, batch, ordinal))
      ordinal += batch.length
    }
  },

  replaceVectors: () => constant(undefined),

  /**
   * Adds the weighted BM25 scores (k1 = 1.2, b = 0.75) of a search per term, because FTS5 cannot weight words. Its scores
   * are negative, the best being the lowest.
   */
  searchText: function* (tx, terms, { limit, ...scope }) {
    if (terms.length === 0) return []
    const searches = terms.slice(0, MAX_TERMS).map(
      ({ words, weight }) =>
        sql`select rowid as row, -${weight} * bm25(chunks_fts, 1.0, ${CONTEXT_WEIGHT}) as score
            from chunks_fts where chunks_fts match ${quote(words.join(" "))}`,
    )
    // Materialized, because SQLite would otherwise inline bm25 into the aggregate, where it cannot be called.
    return yield* queryRows<Hit>(sql`
      with each as materialized (${sql.join(searches, sql` union all `)}),
        found as (select row, sum(score) as score from each group by row)
      select row, score from found
      where ${yield* scopeCondition(tx, scope, sql`found.row`)} order by score desc, row limit ${limit}`)
  },

  countChunksWithWords: function* (tx, words, scope) {
    const condition = yield* scopeCondition(tx, scope, sql`chunks_fts.rowid`)
    const counts: number[] = []
    for (const word of words) {
      const [found] = yield* queryRows<{ n: number }>(
        sql`select count(*) as n from chunks_fts where chunks_fts match ${quote(word)} and ${condition}`,
      )
      counts.push(found!.n)
    }
    return counts
  },

  countIndexedChunks: function* () {
    return (yield* queryRows<{ n: number }>(sql`select count(*) as n from chunks_fts`))[0]!.n
  },

  searchColumns: (text) => ({ stems: stemsOf(text).join(" ") }),

  // `dbstat` sums the pages of a table or index. The tables of a full-text index count as its own.
  measureTables: () =>
    queryRows(sql`select m.tbl_name as "table", sum(s.pgsize) as bytes from dbstat s
      join sqlite_master m on m.name = s.name where s.aggregate = 1 group by m.tbl_name order by bytes desc`),
  searchLibrary: function* (_, words, kind, limit, condition = sql`true`) {
    const match = toMatchQuery(words)
    if (match === "") return []
    const found = yield* queryRows<Omit<LibraryRow, "starts"> & { readonly starts: string | null }>(sql`
      select findables.clip_id, c.title as clip_title, number, starts, speaker, start_s, text
      from findable_fts join findables on findables.id = findable_fts.rowid join clips c on c.id = findables.clip_id
      where findable_fts match ${match} and kind = ${kind} and ${condition}
      order by round(bm25(findable_fts), 12), findables.id limit ${limit}`)
    return found.map((row) => ({ ...row, starts: JSON.parse(row.starts ?? "[]") }))
  },
})
