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

/** PostgreSQL cannot store NUL characters. */
const plainText = customType<{ data: string; driverData: string }>({ dataType: () => "text", toDriver: removeNul })

/** JSON as text, so that key order is preserved. PostgreSQL rejects NUL characters even in escaped form. */
const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => "json",
  toDriver: (value) => {
    const encoded = JSON.stringify(value)
    if (!encoded.includes("\\u0000")) return encoded
    return JSON.stringify(value, (_, part) => (typeof part === "string" ? removeNul(part) : part))
  },
})

/** The PostgreSQL column for each SQLite column type that the schema uses. */
const COLUMN_BUILDERS: Readonly<Record<string, (name: string) => PgColumnBuilderBase>> = {
  SQLiteText: (name) => plainText(name),
  SQLiteTextJson: (name) => json(name),
  SQLiteInteger: (name) => bigint(name, { mode: "number" }),
  SQLiteBoolean: (name) => boolean(name),
  SQLiteReal: (name) => doublePrecision(name),
  SQLiteBlobBuffer: (name) => bytea(name),
}

type Builder = ReturnType<typeof text> & ReturnType<typeof bigint>

const toPostgresColumn = (column: SQLiteColumn): PgColumnBuilderBase => {
  const createBuilder = COLUMN_BUILDERS[column.columnType]
  if (!createBuilder) throw new Error(`No PostgreSQL column type is defined for ${column.columnType}`)
  let built = createBuilder(column.name) as Builder
  if ("autoIncrement" in column && column.autoIncrement) built = built.generatedByDefaultAsIdentity() as never
  if (column.primary) built = built.primaryKey() as never
  if (column.notNull) built = built.notNull() as never
  if (column.isUnique) built = built.unique() as never
  if (column.default !== undefined) built = built.default(column.default as never) as never
  return built
}

type Columns = Readonly<Record<string, AnyPgColumn>>
const findColumn = (columns: Columns, of: { readonly name: string }): AnyPgColumn =>
  Object.values(columns).find((c) => c.name === of.name)!

/** The tables mapped so far, by name. Foreign keys refer to them. */
const mappedTables = new Map<string, PgTable>()

type Config = ReturnType<typeof getTableConfig>

const toPostgresIndexes = ({ indexes }: Config, own: Columns) =>
  indexes.map(({ config }) => {
    const start = config.unique ? uniqueIndex(config.name) : index(config.name)
    const built = start.on(...(config.columns.map((c) => findColumn(own, c as SQLiteColumn)) as [AnyPgColumn]))
    return config.where ? built.where(config.where as SQL) : built
  })

const toPostgresForeignKeys = ({ foreignKeys }: Config, own: Columns) =>
  foreignKeys.map((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference()
    const foreign = getTableColumns(mappedTables.get(getTableName(foreignTable))!)
    return foreignKey({
      columns: columns.map((c) => findColumn(own, c)) as [AnyPgColumn],
      foreignColumns: foreignColumns.map((c) => findColumn(foreign, c)) as [AnyPgColumn],
    }).onDelete(key.onDelete ?? "no action")
  })

/**
 * Maps a SQLite table to PostgreSQL with the same names, columns, keys and values, so that the same operations work on both
 * and new columns exist in both. Tables that its foreign keys refer to must be mapped before it.
 * @param extraColumns columns that only PostgreSQL has
 */
export const toPostgresTable = <T extends SQLiteTable>(
  table: T,
  extraColumns: Record<string, PgColumnBuilderBase> = {},
): T => {
  const config = getTableConfig(table)
  const columns = Object.entries(getTableColumns(table)).map(
    ([key, column]) => [key, toPostgresColumn(column)] as const,
  )
  const result = pgTable(config.name, { ...Object.fromEntries(columns), ...extraColumns }, (own) => [
    ...toPostgresIndexes(config, own),
    ...toPostgresForeignKeys(config, own),
    ...config.primaryKeys.map((key) =>
      primaryKey({ columns: key.columns.map((c) => findColumn(own, c)) as [AnyPgColumn] }),
    ),
    ...config.checks.map(({ name, value }) => check(name, value)),
  ])
  mappedTables.set(config.name, result)
  return toSharedTable<T>(result)
}
