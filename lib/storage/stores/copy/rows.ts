import { createHash } from "node:crypto"
import { getTableColumns, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import type { PoolClient } from "pg"
import { removeNul } from "../../../domain/schemas.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import { toPgTable } from "../../database/postgres/driver-types.ts"
import { withRead } from "../../database/transact.ts"
import type { CopiedTable, Row } from "./tables.ts"

/** Removes the character 0 from a text. A text that is JSON (the words of a transcript) contains it escaped. */
const cleanText = (text: string): string => {
  if (/^[[{]/.test(text) && text.includes("\\u0000")) {
    try {
      return JSON.stringify(clean(JSON.parse(text)))
    } catch {
      // The text only looks like JSON.
    }
  }
  return removeNul(text)
}

/** Removes the character 0, which PostgreSQL cannot store, from all texts in a value. */
const clean = (value: unknown): unknown => {
  if (typeof value === "string") return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)]))
}

/** Reads a batch of rows from SQLite in the order of insertion, after the row with number `after`. */
export const readSource = (handle: DatabaseHandle, { from, batch }: CopiedTable, after: number) => {
  const columns = { ...getTableColumns(from), $row: sql<number>`rowid` }
  const rows = withRead(handle, (tx) =>
    tx.select(columns).from(from).where(sql`rowid > ${after}`).orderBy(sql`rowid`).limit(batch).all(),
  ) as (Row & { $row: number })[]
  return rows.map(({ $row, ...row }) => ({ at: $row, row: clean(row) as Row }))
}

const primaryKeyOf = ({ from }: CopiedTable): string[] => {
  const { columns, primaryKeys } = getTableConfig(from)
  return primaryKeys[0]?.columns.map((c) => c.name) ?? columns.filter((c) => c.primary).map((c) => c.name)
}

/** Yields all rows of a PostgreSQL table in batches, ordered by primary key. */
export async function* readTarget(client: PoolClient, table: CopiedTable): AsyncGenerator<Row[]> {
  const keys = primaryKeyOf(table)
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
    const rows: Row[] = await drizzle(client)
      .select(Object.fromEntries(shared.map((key) => [key, columns[key]])) as never)
      .from(toPgTable(table.to))
      .where(after === null ? undefined : sql`(${list}) > (${values})`)
      .orderBy(list)
      .limit(table.batch)
    if (rows.length === 0) return
    yield rows
    const end = rows.at(-1)!
    last = keys.map((name) => end[shared.find((key) => columns[key]!.name === name)!])
  }
}

const toComparable = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString("base64") : value)

/** Computes a checksum of rows that does not depend on their order. */
export class RowChecksum {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    const values = Object.entries(row)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, toComparable(value)])
    this.#sum += BigInt(`0x${createHash("sha256").update(JSON.stringify(values)).digest("hex")}`)
    this.rows++
  }

  get checksum(): string {
    return (this.#sum % 2n ** 256n).toString(16)
  }
}
