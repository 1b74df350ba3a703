import type { Database, Statement } from "better-sqlite3"

/** More than the number of distinct statements. Parameter lists of different lengths add a few each. */
const MAX_STATEMENTS = 300
/** Longer statements insert many rows and are rarely repeated. */
const MAX_STATEMENT_CHARS = 4_000

/**
 * Returns the database with a cache of compiled statements, for the query builder. Sharing a statement is safe, because
 * the builder executes a statement immediately and never uses two with the same text concurrently.
 */
export const withStatementCache = (raw: Database): Database => {
  const cache = new Map<string, Statement>()
  const prepare = (text: string): Statement => {
    if (text.length > MAX_STATEMENT_CHARS) return raw.prepare(text)
    const cached = cache.get(text)
    // The previous use may have switched the statement to raw rows.
    if (cached) return cached.reader ? cached.raw(false) : cached
    if (cache.size >= MAX_STATEMENTS) cache.clear()
    const statement = raw.prepare(text)
    cache.set(text, statement)
    return statement
  }
  return new Proxy(raw, {
    get: (target, name) => {
      if (name === "prepare") return prepare
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
