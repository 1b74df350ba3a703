import { createHash } from "node:crypto"
import { getTableColumns, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import type { PgTable } from "drizzle-orm/pg-core"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import type { PoolClient } from "pg"
import { withoutNul } from "../../../domain/schemas.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { withRead } from "../../database/transact.ts"
import type { CopiedTable, Row } from "./tables.ts"

/** JSON that is kept as a text (the words of a transcript) holds it escaped. */
const cleanText = (text: string): string => {
  if (/^[[{]/.test(text) && text.includes("\\u0000")) {
    try {
      return JSON.stringify(clean(JSON.parse(text)))
    } catch {
      // Somebody's text, which only looks like it.
    }
  }
  return withoutNul(text)
}

/** PostgreSQL has no character of the code 0: it goes, on both sides of the comparison. */
const clean = (value: unknown): unknown => {
  if (typeof value === "string") return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)]))
}

/** Rows of SQLite after one, in the order in which they were inserted. */
export const readSource = (handle: DatabaseHandle, { from, batch }: CopiedTable, after: number) => {
  const columns = { ...getTableColumns(from), $row: sql<number>`rowid` }
  const rows = withRead(handle, (tx) =>
    tx.select(columns).from(from).where(sql`rowid > ${after}`).orderBy(sql`rowid`).limit(batch).all(),
  ) as (Row & { $row: number })[]
  return rows.map(({ $row, ...row }) => ({ at: $row, row: clean(row) as Row }))
}

const keysOf = ({ from }: CopiedTable): string[] => {
  const { columns, primaryKeys } = getTableConfig(from)
  return primaryKeys[0]?.columns.map((c) => c.name) ?? columns.filter((c) => c.primary).map((c) => c.name)
}

/** Rows of PostgreSQL in the order of their keys, a part at a time. */
export async function* readTarget(client: PoolClient, table: CopiedTable): AsyncGenerator<Row[]> {
  const keys = keysOf(table)
  const columns = getTableColumns(table.to)
  const shared = Object.keys(getTableColumns(table.from))
  const list = sql.raw(keys.map((key) => `"${key}"`).join(", "))
  let last: unknown[] | null = null
  for (;;) {
    const after: unknown[] | null = last
    const values = sql.join(
      (after ?? []).map((value) => sql`${value}`),
      sql`, `,
    )
    const rows: Row[] = await drizzle(client as never)
      .select(Object.fromEntries(shared.map((key) => [key, columns[key]])) as never)
      .from(table.to as unknown as PgTable)
      .where(after === null ? undefined : sql`(${list}) > (${values})`)
      .orderBy(list)
      .limit(table.batch)
    if (rows.length === 0) return
    yield rows
    const end = rows.at(-1)!
    last = keys.map((name) => end[shared.find((key) => columns[key]!.name === name)!])
  }
}

const plain = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString("base64") : value)

/** A sum over rows that does not depend on their order: equal sums, equal rows. */
export class RowChecksum {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    const values = Object.entries(row)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, plain(value)])
    this.#sum += BigInt(`0x${createHash("sha256").update(JSON.stringify(values)).digest("hex")}`)
    this.rows++
  }

  get checksum(): string {
    return (this.#sum % 2n ** 256n).toString(16)
  }
}
