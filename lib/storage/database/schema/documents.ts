import { sql } from "drizzle-orm"
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { ChunkMetadata } from "../../../domain/documents.ts"
import type { WordTiming } from "../../../domain/transcript/word-timings.ts"

/** Texts that questions are answered from: ingested files and the transcripts of clips. */
export const documents = sqliteTable(
  "documents",
  {
    id: text().primaryKey(),
    kind: text().$type<"file" | "clip">().notNull(),
    /** The absolute path of a file, or a clip ID. Triggers delete the row if the clip is deleted or its transcript changes. */
    source: text().notNull(),
    fingerprint: text().notNull(),
    embedModel: text("embed_model").notNull(),
    writtenAt: integer("written_at").notNull(),
  },
  (t) => [
    uniqueIndex("documents_source").on(t.kind, t.source),
    index("documents_newest").on(t.kind, t.writtenAt, t.id),
    check("documents_kind", sql`kind in ('file', 'clip')`),
  ],
)

/**
 * The chunks of documents. IDs are never reused. A chunk has the same ID in the full-text table `chunks_fts`, which a
 * custom migration creates. The program inserts its rows, and a trigger deletes them.
 */
export const documentChunks = sqliteTable(
  "document_chunks",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    documentId: text("document_id")
      .notNull()
      .references(() => documents.id, { onDelete: "cascade" }),
    ordinal: integer().notNull(),
    text: text().notNull(),
    metadata: text({ mode: "json" }).$type<Omit<ChunkMetadata, "source">>().notNull(),
    /** When and by whom each word of a clip's chunk was spoken. Null for files, and in chunks of older versions. */
    timings: text({ mode: "json" }).$type<readonly WordTiming[]>(),
    /** The embedding by the document's model, as little-endian float32. */
    vector: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [index("document_chunks_document").on(t.documentId, t.ordinal)],
)

/** One row with the number of the last change to the documents. It tells a process that its cached vectors are stale. */
export const documentRevision = sqliteTable("document_revision", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
})
