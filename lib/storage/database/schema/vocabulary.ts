import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"

/** The names and terms of the library. */
export const vocabulary = sqliteTable(
  "vocabulary",
  {
    id: text().primaryKey(),
    term: text().notNull(),
    /** The term in lower case, by which an entry is replaced. */
    key: text().notNull(),
    soundsLike: text("sounds_like", { mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [uniqueIndex("vocabulary_key").on(t.key)],
)
