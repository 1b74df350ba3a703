import type { AnyColumn, SQL } from "drizzle-orm"
import type * as schema from "../../database/schema/index.ts"
import type { Tx as SqliteTx } from "../../database/transact.ts"
import type { Hit, NewDocument, SearchScope, SearchTerm } from "../ports/documents.ts"
import type { Steps } from "./steps.ts"

/**
 * What the body of a transaction works with. The operations are written against the builder and the tables of SQLite;
 * those of PostgreSQL have the same names, columns and values, which a test compares.
 */
export type Tx = {
  readonly db: Pick<SqliteTx, "select" | "insert" | "update" | "delete">
  readonly t: typeof schema
  readonly dialect: Dialect
  /** The moment of this transaction, in milliseconds since the epoch. */
  readonly at: number
}

export type FoundText = {
  readonly clip_id: string
  readonly clip_title: string
  readonly number: string | null
  /** The start of each word, in seconds. */
  readonly starts: readonly number[]
  readonly speaker: string | null
  readonly start_s: number
  readonly text: string
}

/** What the two databases have no common words for. */
export type Dialect = {
  /** The text under a key of a JSON column. */
  jsonText(column: AnyColumn | SQL, key: string): SQL<string | null>
  /** Orders rows by when they were inserted, where a table has no number of its own for that. */
  readonly asInserted: SQL
  /** Writes the passages of a document whose row is there, with all that makes them findable. */
  insertChunks(tx: Tx, document: NewDocument): Steps<void>
  searchText(tx: Tx, terms: readonly SearchTerm[], p: SearchScope): Steps<Hit[]>
  /** In how many of the passages that `inScope` lets through each word stands. */
  countWords(tx: Tx, words: readonly string[], scope: SearchScope["scope"]): Steps<number[]>
  /** Passages that have a full text. */
  textRows(tx: Tx): Steps<number>
  /** More columns of something to be found in the library. */
  findableColumns(text: string): object
  /** Those that hold all of the words, of which the last may be the begin of one; best first. */
  find(tx: Tx, words: readonly string[], kind: "title" | "topic" | "words", limit: number): Steps<FoundText[]>
}

/** What every operation of the store works on. */
export type Context = {
  /** One transaction whose reads all see the same moment. */
  read<T>(body: (tx: Tx) => Steps<T>): Promise<T>
  /** One transaction that writes; of those under a common name one runs after the other. */
  write<T>(names: readonly string[], body: (tx: Tx) => Steps<T>): Promise<T>
}

/** Names to write under. */
export const jobLockKey = (id: string): string => `job ${id}`
export const clipLockKey = (id: string): string => `clip ${id}`
