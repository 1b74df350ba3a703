import type { NodePgDatabase } from "drizzle-orm/node-postgres"
import type { PgTable } from "drizzle-orm/pg-core"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Tx as SqliteTransaction } from "../transact.ts"

// The store's operations are typed with drizzle's SQLite builder and tables, but also run with those of PostgreSQL. The two
// agree in the methods that the operations use, which drizzle's types do not express. Therefore these conversions are casts.
// All of them are in this file, and the store's test suite runs on both databases.

export type SharedBuilder = Pick<SqliteTransaction, "select" | "insert" | "update" | "delete">

/** Types PostgreSQL's query builder as the builder that operations use. */
export const toSharedBuilder = (db: NodePgDatabase): SharedBuilder => db as unknown as SharedBuilder

/** Types a PostgreSQL table as the SQLite table that it was derived from. */
export const toSharedTable = <T extends SQLiteTable>(table: PgTable): T => table as unknown as T

/** Types a shared table as the PostgreSQL table that it is at run time. */
export const toPgTable = (table: SQLiteTable): PgTable => table as unknown as PgTable
