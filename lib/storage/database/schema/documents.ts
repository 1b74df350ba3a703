import { sql } from "drizzle-orm"
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { ChunkMetadata } from "../../../domain/documents.ts"

/** What is searched for answers: files that were ingested, and the transcripts of clips. */
export const documents = sqliteTable(
  "documents",
  {
    id: text().primaryKey(),
    kind: text().$type<"file" | "clip">().notNull(),
    /** Absolute path of a file, id of a clip. A clip's row goes with the clip and with its transcript, by triggers. */
    source: text().notNull(),
    fingerprint: text().notNull(),
    embedModel: text("embed_model").notNull(),
    writtenAt: integer("written_at").notNull(),
  },
  (t) => [uniqueIndex("documents_source").on(t.kind, t.source), check("documents_kind", sql`kind in ('file', 'clip')`)],
)

/**
 * Passages of documents. The id, never used twice, is the row of the full-text table `chunks_fts` too, which a custom
 * migration makes; its rows are written with these and removed by a trigger.
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
    /** float32, little endian, of the document's embedding model. */
    vector: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [index("document_chunks_document").on(t.documentId, t.ordinal)],
)

/** One row: the number of the last change to the documents, by which a process knows that its vectors are stale. */
export const documentRevision = sqliteTable("document_revision", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
})
