import type { NodePgDatabase } from "drizzle-orm/node-postgres"
import type { PgTable } from "drizzle-orm/pg-core"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Tx as SqliteTransaction } from "../transact.ts"

// Operations of the store are typed by drizzle's SQLite builder and tables, and run with those of PostgreSQL as well.
// Drizzle's types do not express that the two agree in the methods that operations use, so the conversions are casts.
// All of them are here; the suite of the store tests them on both databases.

export type SharedBuilder = Pick<SqliteTransaction, "select" | "insert" | "update" | "delete">

/** Types PostgreSQL's query builder as the builder that operations use. */
export const toSharedBuilder = (db: NodePgDatabase): SharedBuilder => db as unknown as SharedBuilder

/** Types a PostgreSQL table as the SQLite table that it was derived from. */
export const toSharedTable = <T extends SQLiteTable>(table: PgTable): T => table as unknown as T

/** Types a shared table as the PostgreSQL table that it is at run time. */
export const toPgTable = (table: SQLiteTable): PgTable => table as unknown as PgTable
