/** Rows a statement: SQLite takes at most 32 766 parameters. */
const SIZE = 1000

export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += SIZE) yield items.slice(at, at + SIZE)
}
