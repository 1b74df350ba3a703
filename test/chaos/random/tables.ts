import Database from "better-sqlite3"
import { askPostgres } from "../../fixtures/postgres.ts"
import type { Occurrence } from "./library.ts"

/** Tables of the full-text index. They keep removed terms until segments merge; searches show what they find. */
const isIndexTable = (name: string): boolean => /_fts(_|$)/.test(name)

const toText = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value))

const findIn = (table: string, rows: readonly string[], texts: readonly string[]): Occurrence[] =>
  rows.flatMap((row) => texts.filter((text) => row.includes(text)).map((text) => ({ table, text })))

/** Finds texts in the rows of every table of a database file. */
export const findInSqlite = (path: string, texts: readonly string[]): Occurrence[] => {
  const db = new Database(path, { readonly: true })
  try {
    const names = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    return names
      .filter((name) => !isIndexTable(name))
      .flatMap((name) => {
        const rows = db.prepare(`select * from "${name}"`).raw().all() as unknown[][]
        return findIn(
          name,
          rows.map((row) => row.map(toText).join("\n")),
          texts,
        )
      })
  } finally {
    db.close()
  }
}

/** Finds texts in the rows of every table of a PostgreSQL database. */
export const findInPostgres = async (url: string, texts: readonly string[]): Promise<Occurrence[]> => {
  const names = await askPostgres(url, "select tablename as name from pg_tables where schemaname = 'public'")
  const found: Occurrence[] = []
  for (const { name } of names as { name: string }[]) {
    const rows = await askPostgres(url, `select t::text as row from "${name}" as t`)
    found.push(
      ...findIn(
        name,
        rows.map(({ row }) => String(row)),
        texts,
      ),
    )
  }
  return found
}
