import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { getTableColumns, getTableName, is, Table } from "drizzle-orm"
import { expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import * as sqlite from "../schema/index.ts"
import * as postgres from "./schema.ts"

const tablesOf = (schema: object) =>
  new Map(Object.values(schema).flatMap((t) => (is(t, Table) ? [[getTableName(t), t] as const] : [])))

const names = (table: Table) => Object.values(getTableColumns(table)).map((c) => c.name)

it("defines every SQLite table with all of its columns", () => {
  const postgresTables = tablesOf(postgres)
  for (const [name, table] of tablesOf(sqlite)) {
    expect([...postgresTables.keys()]).toContain(name)
    expect(names(postgresTables.get(name)!)).toEqual(expect.arrayContaining(names(table)))
  }
})

/** Fails if a column was added and `npm run db:generate:postgres` was not run. */
it("matches the schema that the migrations create", () => {
  const meta = join(packageRoot(), "drizzle/postgres/meta")
  const last = readdirSync(meta)
    .filter((file) => file.endsWith("_snapshot.json"))
    .sort()
    .at(-1)!
  const { tables } = JSON.parse(readFileSync(join(meta, last), "utf8")) as {
    tables: Record<string, { columns: Record<string, { type: string; notNull: boolean }> }>
  }
  const migrated = Object.entries(tables).map(([name, { columns }]) => [
    name.replace("public.", ""),
    Object.fromEntries(Object.entries(columns).map(([column, { type, notNull }]) => [column, `${type} ${notNull}`])),
  ])
  const defined = [...tablesOf(postgres)].map(([name, table]) => [
    name,
    Object.fromEntries(
      Object.values(getTableColumns(table)).map((c) => [c.name, `${c.getSQLType()} ${c.notNull || c.primary}`]),
    ),
  ])
  expect(Object.fromEntries(defined)).toEqual(Object.fromEntries(migrated))
})
