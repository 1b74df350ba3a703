import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Filters of the library that users saved under a name. */
export const savedViews = sqliteTable("saved_views", {
  id: text().primaryKey(),
  name: text().notNull(),
  /** The name in small letters. */
  key: text().notNull().unique(),
  /** The query string of the library page. */
  query: text().notNull(),
  createdAt: integer("created_at").notNull(),
})
