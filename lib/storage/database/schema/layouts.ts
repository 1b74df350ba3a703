import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** The map's layout by embedding model: `hashes` as JSON, `coords` three float32 each, in the same order. */
export const layouts = sqliteTable("layouts", {
  model: text().primaryKey(),
  version: integer().notNull(),
  hashes: text({ mode: "json" }).$type<string[]>().notNull(),
  coords: blob({ mode: "buffer" }).notNull(),
})
