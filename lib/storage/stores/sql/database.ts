import type { AnyColumn, SQL } from "drizzle-orm"
import type * as schema from "../../database/schema/index.ts"
import type { Tx as SqliteTransaction } from "../../database/transact.ts"
import type { ChunkScope, ClipSection, Hit, NewDocument, SearchScope, SearchTerm } from "../ports/documents.ts"
import type { TableSize } from "../ports/retention.ts"
import type { Operation } from "./statements.ts"

/** Runs transactions on an SQLite or a PostgreSQL database. */
export type SqlDatabase = {
  /** Runs a read-only transaction, in which all reads see the same state. */
  read<T>(body: (tx: Transaction) => Operation<T>): Promise<T>
  /** Runs a transaction that may write. Transactions that share a lock key run one after the other. */
  write<T>(lockKeys: readonly string[], body: (tx: Transaction) => Operation<T>): Promise<T>
  /** Writes and removes large documents without blocking the process; null if `write` never blocks it. */
  readonly documentWriter: DocumentWriter | null
}

export type DocumentWriter = {
  /** As `DocumentIndex.put`. */
  put(document: NewDocument): Promise<boolean>
  /** As `DocumentIndex.remove`. */
  remove(ids: readonly string[]): Promise<number>
}

export const jobLockKey = (id: string): string => `job ${id}`
export const clipLockKey = (id: string): string => `clip ${id}`

/**
 * An open transaction. Operations are written against drizzle's query builder and tables for SQLite. On PostgreSQL, its
 * own builder and tables take their place; a test verifies that tables and columns are the same.
 */
export type Transaction = {
  readonly db: Pick<SqliteTransaction, "select" | "insert" | "update" | "delete">
  readonly tables: typeof schema
  readonly dialect: Dialect
  /** The time of this transaction as Unix milliseconds. */
  readonly now: number
}

/** The vector of a chunk, and what a vector search has to know about it. */
export type RowVector = {
  readonly row: number
  readonly kind: string
  readonly model: string
  readonly vector: Float32Array
}

/** The statements that differ between the two databases. */
export type Dialect = {
  /** Reads a text field of a JSON column. */
  jsonText(column: AnyColumn | SQL, key: string): SQL<string | null>
  /** Returns a text without the difference between capital and small letters, to sort by. */
  foldText(column: AnyColumn): SQL<string>
  /** Finds texts that contain another one, in capital or small letters. */
  containsText(column: AnyColumn | SQL, text: string): SQL
  /** Finds rows in which a JSON object has this value under any key, in capital or small letters. */
  hasJsonValue(column: AnyColumn, text: string): SQL
  /** Finds rows in which a column has one of any number of values. */
  isOneOf(column: AnyColumn | SQL, values: readonly string[]): SQL
  /** Finds chunks in which a speaker with one of these names speaks, from the names of the clip and the chunk's timings. */
  isSpokenBy(columns: { readonly names: SQL; readonly timings: SQL }, speakers: readonly string[]): SQL
  /** Returns a table `r` with the columns clip_id, start_s and end_s. */
  sectionsTable(sections: readonly ClipSection[]): SQL
  /** Finds the clips of which a row in `findables` contains all words, the last one as a prefix. */
  isFoundClip(clipId: AnyColumn, words: readonly string[]): SQL
  /** Sorts rows by insertion in tables without a sequence column of their own. */
  readonly insertionOrder: SQL
  /** Inserts the chunks of a stored document and indexes them. */
  insertChunks(tx: Transaction, document: NewDocument): Operation<void>
  /** Replaces vectors where the dialect stores a second copy for its search. */
  replaceVectors(vectors: readonly RowVector[]): Operation<void>
  searchText(tx: Transaction, terms: readonly SearchTerm[], p: SearchScope): Operation<Hit[]>
  /** Counts, for each word, the chunks in scope that contain it. */
  countChunksWithWords(tx: Transaction, words: readonly string[], scope: ChunkScope): Operation<number[]>
  /** Counts the chunks in the full-text index. */
  countIndexedChunks(tx: Transaction): Operation<number>
  /** Returns the values of the index columns of a row in `findables`. */
  searchColumns(text: string): object
  /** Measures the bytes of each table with its indexes, largest first. */
  measureTables(): Operation<TableSize[]>
  /**
   * Finds the rows of `findables` that contain all words, the last one as a prefix, best first.
   * @param condition of the table `findables`
   */
  searchLibrary(
    tx: Transaction,
    words: readonly string[],
    kind: "title" | "topic" | "words",
    limit: number,
    condition?: SQL,
  ): Operation<LibraryRow[]>
}

export type LibraryRow = {
  readonly clip_id: string
  readonly clip_title: string
  /** The number of a topic; null for titles and speech. */
  readonly number: string | null
  /** The start time of each word of speech, in seconds. */
  readonly starts: readonly number[]
  readonly speaker: string | null
  readonly start_s: number
  readonly text: string
}
