import { blob, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Embeddings by model and hash of the embedded text: float32, little endian. */
export const vectors = sqliteTable(
  "vectors",
  { model: text().notNull(), hash: text().notNull(), vector: blob({ mode: "buffer" }).notNull() },
  (t) => [primaryKey({ columns: [t.model, t.hash] })],
)
