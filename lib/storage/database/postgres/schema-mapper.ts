import { getTableColumns, getTableName, type SQL } from "drizzle-orm"
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  type PgColumnBuilderBase,
  type PgTable,
  pgTable,
  primaryKey,
  type text,
  uniqueIndex,
} from "drizzle-orm/pg-core"
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core"
import { removeNul } from "../../../domain/schemas.ts"
import { toSharedTable } from "./driver-types.ts"

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" })

/** PostgreSQL has no character of the code 0. */
const plainText = customType<{ data: string; driverData: string }>({ dataType: () => "text", toDriver: removeNul })

/** JSON as it was written; also escaped, PostgreSQL does not take that character. */
const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => "json",
  toDriver: (value) => {
    const written = JSON.stringify(value)
    if (!written.includes("\\u0000")) return written
    return JSON.stringify(value, (_, part) => (typeof part === "string" ? removeNul(part) : part))
  },
})

/** By the kinds of columns that the schema has. */
const KINDS: Readonly<Record<string, (name: string) => PgColumnBuilderBase>> = {
  SQLiteText: (name) => plainText(name),
  SQLiteTextJson: (name) => json(name),
  SQLiteInteger: (name) => bigint(name, { mode: "number" }),
  SQLiteBoolean: (name) => boolean(name),
  SQLiteReal: (name) => doublePrecision(name),
  SQLiteBlobBuffer: (name) => bytea(name),
}

type Builder = ReturnType<typeof text> & ReturnType<typeof bigint>

const columnOf = (column: SQLiteColumn): PgColumnBuilderBase => {
  const kind = KINDS[column.columnType]
  if (!kind) throw new Error(`a column of kind ${column.columnType} has no twin on PostgreSQL`)
  let built = kind(column.name) as Builder
  if ("autoIncrement" in column && column.autoIncrement) built = built.generatedByDefaultAsIdentity() as never
  if (column.primary) built = built.primaryKey() as never
  if (column.notNull) built = built.notNull() as never
  if (column.isUnique) built = built.unique() as never
  if (column.default !== undefined) built = built.default(column.default as never) as never
  return built
}

type Columns = Readonly<Record<string, AnyPgColumn>>
const named = (columns: Columns, of: { readonly name: string }): AnyPgColumn =>
  Object.values(columns).find((c) => c.name === of.name)!

const made = new Map<string, PgTable>()
const columnsOf = (table: PgTable): Columns => getTableColumns(table)

type Config = ReturnType<typeof getTableConfig>

const indexesOf = ({ indexes }: Config, own: Columns) =>
  indexes.map(({ config }) => {
    const start = config.unique ? uniqueIndex(config.name) : index(config.name)
    const built = start.on(...(config.columns.map((c) => named(own, c as SQLiteColumn)) as [AnyPgColumn]))
    return config.where ? built.where(config.where as SQL) : built
  })

const foreignKeysOf = ({ foreignKeys }: Config, own: Columns) =>
  foreignKeys.map((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference()
    const foreign = columnsOf(made.get(getTableName(foreignTable))!)
    return foreignKey({
      columns: columns.map((c) => named(own, c)) as [AnyPgColumn],
      foreignColumns: foreignColumns.map((c) => named(foreign, c)) as [AnyPgColumn],
    }).onDelete(key.onDelete ?? "no action")
  })

/**
 * The same table on PostgreSQL: names, columns, keys and values are those of SQLite, so that one body of operations
 * serves both, and a column that is added there is here too. `more`: columns that only PostgreSQL has. Tables that it
 * points at have been made before it.
 */
export const twin = <T extends SQLiteTable>(table: T, more: Record<string, PgColumnBuilderBase> = {}): T => {
  const config = getTableConfig(table)
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => [key, columnOf(column)] as const)
  const result = pgTable(config.name, { ...Object.fromEntries(columns), ...more }, (own) => [
    ...indexesOf(config, own),
    ...foreignKeysOf(config, own),
    ...config.primaryKeys.map((key) => primaryKey({ columns: key.columns.map((c) => named(own, c)) as [AnyPgColumn] })),
    ...config.checks.map(({ name, value }) => check(name, value)),
  ])
  made.set(config.name, result)
  return toSharedTable<T>(result)
}
