import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Texts that were found and replaced. The word edits that this made refer to it. */
export const replacements = sqliteTable("replacements", {
  id: text().primaryKey(),
  find: text().notNull(),
  replaceWith: text("replace_with").notNull(),
  createdAt: integer("created_at").notNull(),
})
