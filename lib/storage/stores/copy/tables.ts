import { getTableColumns, getTableName, is, Table } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { ChunkMetadata } from "../../../domain/documents.ts"
import { chunkContext } from "../../../domain/documents.ts"
import * as target from "../../database/postgres/schema.ts"
import * as source from "../../database/schema/index.ts"
import { toTsvector } from "../postgres/full-text.ts"

export type Row = Readonly<Record<string, unknown>>

/** A table to copy. */
export type CopiedTable = {
  readonly name: string
  readonly from: SQLiteTable
  readonly to: SQLiteTable
  /** The number of rows per transaction. */
  readonly batch: number
  /** Returns the values of columns that only the target has. */
  readonly extraColumns: (row: Row) => object
  /** The column whose values come from a sequence. */
  readonly sequenceColumn: string | null
}

const LARGE_ROW_BATCH = 10
const SMALL_ROW_BATCH = 500

/** The copied tables. A table comes after those that its foreign keys refer to. */
const COPIED = [
  "apiTokens",
  "choices",
  "counters",
  "savedViews",
  "clips",
  "clipTags",
  "clipVersions",
  "transcripts",
  "wordEdits",
  "people",
  "clipPeople",
  "speakerEmbeddings",
  "topics",
  "topicEdits",
  "topicEditSteps",
  "topicRuns",
  "waveforms",
  "vectors",
  "topicSpeech",
  "regionNames",
  "layouts",
  "jobs",
  "givenTranscripts",
  "jobStages",
  "shares",
  "notes",
  "vocabulary",
  "summaryTemplates",
  "clipSummaries",
  "threads",
  "threadTurns",
  "replacements",
  "webhooks",
  "webhookDeliveries",
  "outbox",
  "brokerMessages",
  "documents",
  "documentChunks",
] as const
/** Tables with temporary data, and those derived from others. */
const NOT_COPIED = [
  "workers",
  "leases",
  "modelRuns",
  "gpuTenants",
  "findables",
  "documentRevision",
  "idempotencyKeys",
  "resumableUploads",
  "uploadParts",
  "tokenSessions",
  "liveWords",
] as const

const TABLES_WITH_LARGE_ROWS: ReadonlySet<string> = new Set([
  "clips",
  "transcripts",
  "topicRuns",
  "layouts",
  "givenTranscripts",
  "jobStages",
])

/** Lists the tables of the schema that are missing above, whose data would be lost. */
const listUnknownTables = (): string[] => {
  const known: ReadonlySet<string> = new Set([...COPIED, ...NOT_COPIED])
  return Object.entries(source).flatMap(([key, table]) => (is(table, Table) && !known.has(key) ? [key] : []))
}

const chunkStems = ({ text, metadata }: Row) =>
  toTsvector(String(text), chunkContext(metadata as Pick<ChunkMetadata, "title" | "heading">))

/**
 * Returns the tables to copy, in order.
 * @throws Error if the schema has a table that is not listed here
 */
export const copiedTables = (): CopiedTable[] => {
  const unknown = listUnknownTables()
  if (unknown.length > 0) throw new Error(`'store copy' does not know these tables: ${unknown.join(", ")}`)
  const [sources, targets] = [{ ...source }, { ...target }]
  return COPIED.map((key) => {
    const [from, to] = [sources[key], targets[key]]
    const columns = Object.entries(getTableColumns(from))
    const numbered = columns.find(([, column]) => "autoIncrement" in column && column.autoIncrement)
    return {
      name: getTableName(from),
      from,
      to,
      batch: TABLES_WITH_LARGE_ROWS.has(key) ? LARGE_ROW_BATCH : SMALL_ROW_BATCH,
      extraColumns: key === "documentChunks" ? chunkStems : () => ({}),
      sequenceColumn: numbered?.[1].name ?? null,
    }
  })
}
