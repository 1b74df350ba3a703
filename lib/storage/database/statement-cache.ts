import type { Database, Statement } from "better-sqlite3"

/** More texts than the product has; lists of parameters make a few more of each. */
const MOST = 300
/** Longer ones are inserts of many rows, and seldom the same twice. */
const LONGEST = 4_000

/**
 * The database as the query builder sees it: a statement's text is compiled once. The builder uses a statement as soon
 * as it has it and never two of the same text at once, so handing the same one out again is safe.
 */
export const withStatementCache = (raw: Database): Database => {
  const kept = new Map<string, Statement>()
  const prepare = (text: string): Statement => {
    if (text.length > LONGEST) return raw.prepare(text)
    const known = kept.get(text)
    // Whoever had it last may have asked for bare arrays.
    if (known) return known.reader ? known.raw(false) : known
    if (kept.size >= MOST) kept.clear()
    const statement = raw.prepare(text)
    kept.set(text, statement)
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
