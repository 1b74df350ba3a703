import { getTableColumns, getTableName, is, Table } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { contextOf } from "../../../domain/chunk-context.ts"
import type { ChunkMetadata } from "../../../domain/documents.ts"
import * as target from "../../database/postgres/schema.ts"
import * as source from "../../database/schema/index.ts"
import { fullTextOf } from "../postgres/full-text.ts"

export type Row = Readonly<Record<string, unknown>>

/** One table to be copied. `batch`: rows at a time; large ones are few. */
export type CopiedTable = {
  readonly name: string
  readonly from: SQLiteTable
  readonly to: SQLiteTable
  readonly batch: number
  /** Columns that only the target has. */
  readonly more: (row: Row) => object
  /** The column that the database numbers by itself. */
  readonly numbered: string | null
}

const FEW = 10
const MANY = 500

/** What points at others comes after them. */
const ORDER = [
  "choices",
  "counters",
  "clips",
  "transcripts",
  "wordEdits",
  "topics",
  "topicEdits",
  "topicRuns",
  "waveforms",
  "vectors",
  "layouts",
  "jobs",
  "givenTranscripts",
  "jobStages",
  "outbox",
  "brokerMessages",
  "documents",
  "documentChunks",
] as const
/** What is true of one run of the service only, or is made anew from the rest. */
const LEFT = ["workers", "leases", "modelRuns", "gpuTenants", "findables", "documentRevision"] as const

const LARGE: ReadonlySet<string> = new Set([
  "clips",
  "transcripts",
  "topicRuns",
  "layouts",
  "givenTranscripts",
  "jobStages",
])

/** Every table must be named above: one that was added and forgotten would be lost. */
const forgotten = (): string[] => {
  const named: ReadonlySet<string> = new Set([...ORDER, ...LEFT])
  return Object.entries(source).flatMap(([key, table]) => (is(table, Table) && !named.has(key) ? [key] : []))
}

const stemsOfChunk = ({ text, metadata }: Row) =>
  fullTextOf(String(text), contextOf(metadata as Pick<ChunkMetadata, "title" | "heading">))

/** @throws Error when a table is neither copied nor left on purpose */
export const copiedTables = (): CopiedTable[] => {
  const lost = forgotten()
  if (lost.length > 0) throw new Error(`'store copy' does not know what to do with: ${lost.join(", ")}`)
  const [sources, targets] = [{ ...source }, { ...target }]
  return ORDER.map((key) => {
    const [from, to] = [sources[key], targets[key]]
    const columns = Object.entries(getTableColumns(from))
    const numbered = columns.find(([, column]) => "autoIncrement" in column && column.autoIncrement)
    return {
      name: getTableName(from),
      from,
      to,
      batch: LARGE.has(key) ? FEW : MANY,
      more: key === "documentChunks" ? stemsOfChunk : () => ({}),
      numbered: numbered?.[1].name ?? null,
    }
  })
}
