import type { SQL } from "drizzle-orm"

/** A statement made by the query builder; each database carries it out in its own way. */
type Query = { all(): readonly unknown[]; get(): unknown; run(): { readonly changes: number } }

/** What an operation asks of the database next. */
export type Step =
  | { readonly kind: "all" | "get"; readonly query: Pick<Query, "all" | "get"> }
  | { readonly kind: "run"; readonly query: Pick<Query, "run"> }
  | { readonly kind: "rows"; readonly query: SQL }
  | { readonly kind: "lock"; readonly name: string }

/**
 * The body of a transaction: a generator that asks for one statement after the other. SQLite answers at once, because
 * its transactions must not wait; PostgreSQL answers when it has the rows. It may be run more than once.
 */
export type Steps<T> = Generator<Step, T, unknown>

export function* all<T>(query: { all(): T[]; get(): unknown }): Steps<T[]> {
  return (yield { kind: "all", query }) as T[]
}

export function* get<T>(query: { all(): readonly unknown[]; get(): T | undefined }): Steps<T | undefined> {
  return (yield { kind: "get", query }) as T | undefined
}

/** @returns how many rows it changed */
export function* run(query: Pick<Query, "run">): Steps<number> {
  return (yield { kind: "run", query }) as number
}

/** What is known without a question. */
export function* constant<T>(result: T): Steps<T> {
  yield* []
  return result
}

/** Rows of a statement in SQL, by the names of its columns. */
export function* rows<T>(query: SQL): Steps<T[]> {
  return (yield { kind: "rows", query }) as T[]
}

/**
 * Waits until no other transaction works under this name, and keeps it to the end of this one. Where a transaction
 * that writes is alone in the database anyway, it does nothing.
 */
export function* lock(name: string): Steps<void> {
  yield { kind: "lock", name }
}
