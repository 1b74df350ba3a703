import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Uploads that a client sends in several requests. They expire, finished or not; jobs keep the file. */
export const resumableUploads = sqliteTable(
  "resumable_uploads",
  {
    id: text().primaryKey(),
    /** The name of the file. */
    name: text().notNull(),
    /** The metadata as the client sent it. */
    metadata: text().notNull(),
    /** In bytes. */
    size: integer().notNull(),
    /** The number of bytes that are stored. */
    offset: integer().notNull().default(0),
    /** The address and the hash of the complete file. Null until its parts are joined. */
    address: text(),
    sha256: text(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("resumable_uploads_expiry").on(t.expiresAt)],
)

/** The stored parts of uploads that are not complete. */
export const uploadParts = sqliteTable(
  "upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => resumableUploads.id, { onDelete: "cascade" }),
    /** The position of the first byte in the file. */
    start: integer().notNull(),
    bytes: integer().notNull(),
    /** The key of the blob. */
    key: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.uploadId, t.start] })],
)
